/** Joins the segments of an address on this server; each is percent-encoded, slashes within stay. */
export function address(...segments: readonly (string | number)[]): string {
  return `/${segments.map((segment) => encodePath(String(segment))).join('/')}`
}

/** Percent-encodes a path, but for its slashes. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** A path of the API, below `/api/v4`; slashes within its segments are encoded, too. */
export function apiPath(...segments: readonly (string | number)[]): string {
  return `/${segments.map(encodeURIComponent).join('/')}`
}

/** The address of a page of a project: `projectAddress('a/b', 'issues', 1)` is `/a/b/-/issues/1`. */
export function projectAddress(project: string, ...segments: readonly (string | number)[]): string {
  return segments.length === 0 ? address(project) : address(project, '-', ...segments)
}

/** The address of a page of a group: `groupAddress('a', 'epics', 1)` is `/groups/a/-/epics/1`. */
export function groupAddress(group: string, ...segments: readonly (string | number)[]): string {
  return segments.length === 0
    ? address('groups', group)
    : address('groups', group, '-', ...segments)
}

/** The path, query and fragment of an address that the API gives: pages stay on their own origin, and comments are found. */
export function localPath(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null) return url
  const { pathname, search, hash } = parsed
  const [, noteId] = /^#note_(\d{1,15})$/.exec(hash) ?? []
  return noteId === undefined || search !== ''
    ? pathname + search + hash
    : noteAddress(pathname, Number(noteId))
}

/** An address with other values in its query; those that are undefined or '' are left out. */
export function withQuery(
  path: string,
  values: Readonly<Record<string, string | number | undefined>>,
  kept: URLSearchParams = new URLSearchParams(),
): string {
  const query = new URLSearchParams(kept)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') query.delete(name)
    else query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** The address of a comment: the page of what it is about leads to that page of the discussion which has it. */
export function noteAddress(page: string, noteId: number): string {
  return `${withQuery(page, { note_id: noteId })}#note_${noteId}`
}

/** The full path of the project of an issue or merge request, from its local address. */
export function projectOf(path: string): string {
  const segments = path.split('/').slice(1, -2)
  const own = segments.at(-1) === '-' ? segments.slice(0, -1) : segments
  return own.map(decodeURIComponent).join('/')
}
