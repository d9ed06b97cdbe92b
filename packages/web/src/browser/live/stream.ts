interface Version {
  updated_at: string
  version: string
}

/**
 * Calls a function whenever the stream says that the page is outdated, also after it was closed for a
 * while: it is open only while somebody sees the page, also one from the back/forward cache.
 */
export function watchStream(href: string, updatedAt: string, onChange: () => void): void {
  let source: EventSource | undefined
  let known: string | undefined
  const close = () => {
    source?.close()
    source = undefined
  }
  const open = () => {
    if (document.hidden || source !== undefined) return
    source = new EventSource(href)
    source.addEventListener('version', ({ data }) => {
      const version: Version = JSON.parse(data)
      // The first one is compared with what the page was rendered from.
      const isSame =
        known === undefined ? version.updated_at === updatedAt : version.version === known
      known = version.version
      if (!isSame) onChange()
    })
    source.addEventListener('change', ({ data }) => {
      known = (JSON.parse(data) as Version).version
      onChange()
    })
  }
  addEventListener('pagehide', close)
  addEventListener('pageshow', open)
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()))
  open()
}
