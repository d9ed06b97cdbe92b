import autocannon from 'autocannon'

/** The parent's request, as JSON in the first argument. */
export interface LoadRequest {
  url: string
  headers: Record<string, string>
  seconds: number
  connections: number
  /** JSON, which is posted. */
  body?: string
}

/** The result on standard output, as JSON. */
export interface LoadResult {
  requests: number
  /** Duration of the load. */
  seconds: number
  /** Requests that failed or got an error response. */
  failures: number
  /** Milliseconds. */
  p50: number
  p99: number
}

const request = JSON.parse(process.argv[2] ?? '{}') as LoadRequest
process.stdout.write(JSON.stringify(await runLoad(request)))

async function runLoad({
  url,
  headers,
  seconds,
  connections,
  body,
}: LoadRequest): Promise<LoadResult> {
  const times: number[] = []
  const started = performance.now()
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const plain = { url, headers, connections, duration: seconds }
    const options: autocannon.Options =
      body === undefined
        ? plain
        : {
            ...plain,
            method: 'POST',
            body,
            headers: { ...headers, 'content-type': 'application/json' },
          }
    const instance = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)))
    // The histogram of autocannon has whole milliseconds only.
    instance.on('response', (_client, _status, _bytes, time) => times.push(time))
  })
  const elapsed = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  return {
    requests: times.length,
    seconds: elapsed,
    failures: result.errors + result.timeouts + result.non2xx,
    p50: at(0.5),
    p99: at(0.99),
  }
}
