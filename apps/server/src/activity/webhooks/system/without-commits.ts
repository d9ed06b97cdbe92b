/** An event as system hooks receive it: that of a push lists no commits. */
export function withoutCommits<E extends { event: string; body: object }>(event: E): E {
  const isPush = event.event === 'push' || event.event === 'tag_push'
  return isPush ? { ...event, body: { ...event.body, commits: [] } } : event
}
