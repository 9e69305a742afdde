-- Sends prepared requests one after the other and prints the results as JSON.
-- Arguments after `--`: the file of requests, each followed by a zero byte; the index of the first request; the mean pause
-- of a connection between a response and its next request, in milliseconds.

local requests, position = {}, 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  for text in file:read('*a'):gmatch('%Z+') do requests[#requests + 1] = text end
  file:close()
  position = tonumber(args[2])
  local pause = tonumber(args[3])
  if pause > 0 then
    math.randomseed(position)
    -- Exponential pauses, as of independent callers; rounded up or down at random, as wrk takes whole milliseconds.
    function delay() return math.floor(-math.log(1 - math.random()) * pause + math.random()) end
  end
  io.stderr:write('ready\n')
end

function request()
  position = position + 1
  return requests[position % #requests + 1]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'bench: {"requests":%d,"microseconds":%d,"errorStatuses":%d,"broken":%d,"p50":%d,"p99":%d}',
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write, latency:percentile(50), latency:percentile(99)
  ))
end
