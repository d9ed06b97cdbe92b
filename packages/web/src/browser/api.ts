/** The full path of the project of the page; undefined outside of projects. */
export function pageProject(): string | undefined {
  return document.getElementById('main')?.dataset.project
}

/** The full path of the group of the page; undefined outside of groups. */
export function pageGroup(): string | undefined {
  return document.getElementById('main')?.dataset.group
}

function csrfToken(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=csrf-token]')?.content ?? ''
}

/** Whether somebody is signed in. */
export function isSignedIn(): boolean {
  return csrfToken() !== ''
}

/**
 * Calls the API with the session of the page.
 * @param path below `/api/v4`, with its query
 * @returns an empty object if the answer has no body; undefined if the call was refused or got no answer
 */
export async function callApi<T>(
  path: string,
  { method, body, signal }: { method?: string; body?: object; signal?: AbortSignal } = {},
): Promise<T | undefined> {
  try {
    const response = await fetch(`/api/v4${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { 'x-csrf-token': csrfToken(), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    if (!response.ok) return undefined
    return (response.status === 204 ? {} : await response.json()) as T
  } catch {
    return undefined
  }
}

/** Loads another page of this origin as a document; undefined if that fails. */
export async function loadPage(href: string): Promise<Document | undefined> {
  try {
    const response = await fetch(href, { headers: { accept: 'text/html' } })
    if (!response.ok) return undefined
    return new DOMParser().parseFromString(await response.text(), 'text/html')
  } catch {
    return undefined
  }
}

/** Adds the symbols of icons that a loaded page uses and this one lacks. */
export function adoptSymbols(page: Document): void {
  const sprite = document.querySelector('body > svg[hidden]')
  for (const symbol of page.querySelectorAll('body > svg[hidden] > symbol')) {
    if (document.getElementById(symbol.id) === null) sprite?.append(document.adoptNode(symbol))
  }
}
