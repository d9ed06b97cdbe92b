import { type HTMLElement, parse } from 'node-html-parser'
import type { TestServer } from '../test-server.ts'

/** A page, as a browser without JavaScript has it. */
export interface WebPage {
  status: number
  /** Path and query, after redirects. */
  address: string
  headers: Headers
  /** The markup. */
  text: string
  document: HTMLElement
  /** What its forms and its script send back; '' for visitors. */
  csrfToken: string
  /** The text of the main heading. */
  heading: string
  /** The texts of all elements of a selector, without blanks around them and line breaks within. */
  texts: (selector: string) => string[]
  /** Follows the first link with a text. */
  follow: (text: string) => Promise<WebPage>
  /**
   * Presses the first button with a text, or with an `aria-label`: submits its form as it is, but for the
   * values given by name. Lists are for checkboxes and multiple choices.
   */
  press: (button: string, values?: Readonly<Record<string, FieldValue>>) => Promise<WebPage>
}

type FieldValue = string | readonly string[] | File

/** A browser with cookies and without JavaScript. */
export interface WebBrowser {
  /** Opens a path, and follows redirects. */
  open: (path: string) => Promise<WebPage>
  /** Sends any request with the cookies, without following redirects. */
  send: (path: string, init?: RequestInit) => Promise<Response>
}

/** Signs a user in; without one, a visitor's browser. */
export async function openBrowser(
  server: TestServer,
  user?: { username: string; password: string },
): Promise<WebBrowser> {
  const base = await server.url()
  const cookies = new Map<string, string>()
  const send: WebBrowser['send'] = async (path, init = {}) => {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const own: Record<string, string> = init.method === 'POST' ? { origin: base } : {}
    const headers = { accept: 'text/html', ...own, ...init.headers, cookie }
    const response = await fetch(new URL(path, base), { ...init, redirect: 'manual', headers })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const end = pair.indexOf('=')
      cookies.set(pair.slice(0, end), pair.slice(end + 1))
    }
    return response
  }
  const load = async (path: string, init?: RequestInit): Promise<WebPage> => {
    const response = await send(path, init)
    const location = response.headers.get('location')
    if (location !== null) return load(new URL(location, new URL(path, base)).href)
    return readPage(response, path, load)
  }
  const browser: WebBrowser = { send, open: (path) => load(path) }
  if (user !== undefined) await signIn(browser, user)
  return browser
}

async function signIn(
  { open }: WebBrowser,
  { username, password }: { username: string; password: string },
): Promise<void> {
  const form = await open('/users/sign_in')
  const page = await form.press('Sign in', {
    'user[login]': username,
    'user[password]': password,
  })
  if (page.status !== 200) throw new Error(`${username} could not sign in: ${page.heading}`)
}

type Load = (path: string, init?: RequestInit) => Promise<WebPage>

async function readPage(response: Response, path: string, load: Load): Promise<WebPage> {
  const text = await response.text()
  // Unlike the parser's own default, elements within `pre` are elements.
  const blockTextElements = { script: true, noscript: true, style: true }
  const document = parse(text, { comment: false, blockTextElements })
  const url = new URL(response.url || path, 'http://here.invalid')
  const address = url.pathname + url.search
  const texts = (selector: string) => document.querySelectorAll(selector).map(textOf)
  return {
    status: response.status,
    address,
    headers: response.headers,
    text,
    document,
    csrfToken: document.querySelector('meta[name=csrf-token]')?.getAttribute('content') ?? '',
    heading: texts('h1')[0] ?? '',
    texts,
    async follow(name) {
      const link = document.querySelectorAll('a').find((each) => named(each, name))
      if (link === undefined) throw new Error(`${address} has no link ${name}`)
      return load(new URL(link.getAttribute('href') ?? '', url).href)
    },
    async press(name, values = {}) {
      const button = document.querySelectorAll('button').find((each) => named(each, name))
      if (button === undefined) throw new Error(`${address} has no button ${name}`)
      return pressButton(document, button, values, url, load)
    },
  }
}

function textOf(element: HTMLElement): string {
  return element.text.replace(/\s+/g, ' ').trim()
}

function named(element: HTMLElement, name: string): boolean {
  return element.getAttribute('aria-label') === name || textOf(element) === name
}

function pressButton(
  document: HTMLElement,
  button: HTMLElement,
  values: Readonly<Record<string, FieldValue>>,
  url: URL,
  load: Load,
): Promise<WebPage> {
  const id = button.getAttribute('form')
  const form = id === undefined ? button.closest('form') : document.getElementById(id)
  if (form === null) throw new Error(`${url.pathname}: the button has no form`)
  const fields = fieldsOf(form)
  const name = button.getAttribute('name')
  if (name !== undefined) fields.append(name, button.getAttribute('value') ?? '')
  const known = new Set(controlsOf(form).map((control) => control.getAttribute('name')))
  for (const [field, value] of Object.entries(values)) {
    if (!known.has(field)) throw new Error(`${url.pathname}: the form has no field ${field}`)
    fields.delete(field)
    for (const each of value instanceof File || typeof value === 'string' ? [value] : value) {
      fields.append(field, each)
    }
  }
  const action = button.getAttribute('formaction') ?? form.getAttribute('action') ?? url.href
  return sendForm(form, new URL(action, url), fields, load)
}

function sendForm(form: HTMLElement, action: URL, fields: FormData, load: Load): Promise<WebPage> {
  if (form.getAttribute('enctype') === 'multipart/form-data') {
    return load(action.href, { method: 'POST', body: fields })
  }
  const query = new URLSearchParams([...fields] as [string, string][])
  if (form.getAttribute('method')?.toLowerCase() !== 'post') {
    action.search = query.toString()
    return load(action.href)
  }
  return load(action.href, { method: 'POST', body: query })
}

function controlsOf(form: HTMLElement): HTMLElement[] {
  return form.querySelectorAll('input, textarea, select, button')
}

/** What a browser would send of a form that nobody has changed. */
function fieldsOf(form: HTMLElement): FormData {
  const fields = new FormData()
  for (const control of controlsOf(form)) {
    const name = control.getAttribute('name')
    if (name === undefined || control.hasAttribute('disabled')) continue
    for (const value of valuesOf(control)) fields.append(name, value)
  }
  return fields
}

function valuesOf(control: HTMLElement): string[] {
  const tag = control.tagName.toLowerCase()
  const type = control.getAttribute('type') ?? 'text'
  if (tag === 'button' || type === 'file' || type === 'submit') return []
  if (tag === 'select') return selectedValues(control)
  // The first line break after the tag is not part of the text.
  if (tag === 'textarea') return [control.text.replace(/^\n/, '')]
  const value = control.getAttribute('value')
  if (type !== 'checkbox' && type !== 'radio') return [value ?? '']
  return control.hasAttribute('checked') ? [value ?? 'on'] : []
}

function selectedValues(select: HTMLElement): string[] {
  const options = select.querySelectorAll('option')
  const selected = options.filter((option) => option.hasAttribute('selected'))
  const [first] = options
  const isSingle = !select.hasAttribute('multiple')
  const chosen = selected.length === 0 && isSingle && first !== undefined ? [first] : selected
  return chosen.map((option) => option.getAttribute('value') ?? textOf(option))
}
