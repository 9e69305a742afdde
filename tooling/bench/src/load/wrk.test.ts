import { expect, test } from 'vitest'
import { parseWrk } from './wrk.ts'

const output = `Running 1m test @ http://127.0.0.1:3999
  1 threads and 4 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   232.30us    1.09ms  17.11ms   96.69%
    Req/Sec    71.71k    26.83k   99.79k    81.82%
  78405 requests in 1.10s, 9.27MB read
  Non-2xx or 3xx responses: 12
Requests/sec:  71230.97
Transfer/sec:      8.42MB
bench: {"requests":78405,"microseconds":1100715,"errorStatuses":12,"broken":1,"p50":40,"p99":4553}
`

test('reads the stats that the script printed, in seconds and milliseconds', () => {
  expect(parseWrk(output)).toEqual({
    requests: 78405,
    seconds: 1.100715,
    errorStatuses: 12,
    broken: 1,
    p50Ms: 0.04,
    p99Ms: 4.553,
  })
})

test('output without them is an error that shows it', () => {
  expect(() => parseWrk('unable to connect to 127.0.0.1:3999 Connection refused')).toThrow(
    'Connection refused',
  )
})
