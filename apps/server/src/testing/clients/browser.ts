import type { InjectedAnswer, TestServer } from '../test-server.ts'

/** A browser without JavaScript: it keeps cookies and submits the forms that it gets. */
export function openBrowser(of: TestServer) {
  const cookies = new Map<string, string>()
  const lines: string[] = []

  async function send(method: string, path: string, form?: string): Promise<InjectedAnswer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers: Record<string, string> = {}
    if (cookie !== '') headers.cookie = cookie
    const answer = await of.inject(method, `/${path}`, {
      ...(form === undefined ? {} : { form }),
      headers,
    })
    for (const line of splitCookies(answer.headers['set-cookie'])) {
      lines.push(line)
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (/Expires=Thu, 01 Jan 1970/.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }

  async function submit(page: string, fields: Record<string, string>, to = page) {
    const { text } = await send('GET', page)
    const token = tokenOf(text)
    const form = new URLSearchParams({ authenticity_token: token, ...fields })
    return send('POST', to, form.toString())
  }

  async function signIn(login: string, password: string, more: Record<string, string> = {}) {
    const fields = { 'user[login]': login, 'user[password]': password, ...more }
    return submit('/users/sign_in', fields)
  }

  return { cookies, lines, send, submit, signIn }
}

/** Multiple Set-Cookie headers are joined by commas, which dates contain as well. */
function splitCookies(header: string | undefined): string[] {
  return header === undefined ? [] : header.split(/,(?=\s*[^;,\s]+=)/).map((line) => line.trim())
}

/** The form token of a page. */
export function tokenOf(text: string): string {
  return /name="authenticity_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
}
