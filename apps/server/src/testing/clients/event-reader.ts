/** An event of a stream. */
export interface ReceivedEvent {
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: it is read as untyped JSON.
  data: any
}

export interface EventReader {
  status: number
  headers: Headers
  /** The next event; undefined once the stream has ended. */
  next: () => Promise<ReceivedEvent | undefined>
  /** Everything until the end, as it was received. */
  rest: () => Promise<string>
  close: () => void
}

/** Opens a stream of events over HTTP; every reader that a test opens has to be closed, or end. */
export async function openEvents(
  url: string,
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const controller = new AbortController()
  const response = await fetch(url, { headers, signal: controller.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const readMore = async (): Promise<boolean> => {
    const { done = true, value = '' } = (await reader?.read()) ?? {}
    text += value
    return !done
  }
  return {
    status: response.status,
    headers: response.headers,
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end < 0) {
          if (!(await readMore())) return undefined
          continue
        }
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
        if (event !== '') return { event, data: JSON.parse(data) }
      }
    },
    async rest() {
      while (await readMore());
      return text
    },
    close: () => controller.abort(),
  }
}
