-- Sends prepared requests one after the other and prints what came of it as JSON.
-- Arguments after `--`: the file of requests, with a zero byte after each; where in it to begin.

local thread_count = 0
function setup(thread)
  thread:set('thread_index', thread_count)
  thread_count = thread_count + 1
end

local requests, position = {}, 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for text in file:read('*a'):gmatch('%Z+') do requests[#requests + 1] = text end
  file:close()
  position = tonumber(args[2]) + thread_index * 7919
  io.stderr:write('ready\n')
end

function request()
  position = position + 1
  return requests[position % #requests + 1]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'bench: {"requests":%d,"microseconds":%d,"refused":%d,"failed":%d,"p50":%d,"p99":%d}',
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write, latency:percentile(50), latency:percentile(99)
  ))
end
