import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { createClient } from '@stithy/client'
import { describe, expect, it } from 'vitest'
import { stylesheet } from '../src/app/stylesheet.ts'
import { createWeb } from '../src/app/web.ts'
import { createPermits } from '../src/platform/pages/permits.ts'

const design = new URL('../src/platform/design/', import.meta.url)
const styleguide = new URL('../src/app/styleguide/', import.meta.url)

/** Functions that are no components. */
const exceptions: Readonly<Record<string, string>> = {
  'form-fields.ts csrfField': 'a hidden field, which nobody sees',
  'code-hits.ts lineOf': 'gives a number',
  'live-part.ts livePart': 'an element around others, which has no look',
}

/** The functions that the files of the design system export: its components. */
async function components(): Promise<string[]> {
  const files = readdirSync(design).filter((file) => file.endsWith('.ts'))
  const modules = await Promise.all(
    files.map(async (file): Promise<[string, object]> => [file, await import(`${design}${file}`)]),
  )
  return modules.flatMap(([file, module]) =>
    Object.entries(module)
      .filter(([, value]) => typeof value === 'function')
      .map(([name]) => `${file} ${name}`),
  )
}

/** What the style guide imports of them. */
function shown(): string[] {
  const texts = readdirSync(styleguide).map((file) =>
    readFileSync(new URL(file, styleguide), 'utf8'),
  )
  return texts.flatMap((text) =>
    text.split('import {').flatMap((part) => {
      const [names = '', rest = ''] = part.split('} from ')
      const [, file] = rest.split('\n')[0]?.split('platform/design/') ?? []
      if (file === undefined) return []
      return names.split(',').map((name) => `${file.replace("'", '')} ${name.trim()}`)
    }),
  )
}

async function open(address: string): Promise<string> {
  const options = {
    baseUrl: 'http://stithy.example',
    fetch: () => Promise.reject(new Error('The style guide calls the API')),
  }
  const [client, permits] = [createClient(options), createPermits(options)]
  const { status, body } = await createWeb().handle({
    ...{ method: 'GET', address, client, permits, now: 0 },
  })
  expect(status).toBe(200)
  return String(body)
}

describe('GET /-/styleguide', () => {
  it('shows every component of the design system', async () => {
    const all = await components()
    expect(all.length).toBeGreaterThan(30)
    expect(all).toEqual(expect.arrayContaining(Object.keys(exceptions)))
    const known = new Set([...shown(), ...Object.keys(exceptions)])
    expect(all.filter((name) => !known.has(name))).toEqual([])
  })

  it('makes no call of the API, and has no inline style or script', async () => {
    const text = await open('/-/styleguide')
    expect(text).toContain('<h1 dir="auto">Style guide</h1>')
    expect(text).not.toMatch(/<style|style="|<script>|onclick/)
  })

  it.each(['light', 'dark'])('shows all in the %s colours if it is asked to', async (theme) => {
    const text = await open(`/-/styleguide?theme=${theme}`)
    expect(text).toContain(`<html lang="en" data-theme="${theme}">`)
  })

  it('gives no id to two elements', async () => {
    const ids = Array.from((await open('/-/styleguide')).matchAll(/ id="([^"]+)"/g), ([, id]) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  })
})

/** Selectors of rules, but for those within `@media`, which are for other windows. */
function selectors(): string[] {
  return stylesheet
    .split('\n')
    .filter((line) => /^[^@} ].*\{/.test(line))
    .map((line) => line.slice(0, line.indexOf('{')).trim())
}

it('has no two rules with one selector, as two components of one name would have', () => {
  const found = selectors()
  expect(found.length).toBeGreaterThan(400)
  expect(found.filter((selector, at) => found.indexOf(selector) !== at)).toEqual([])
})

it('has one small style sheet', () => {
  expect(gzipSync(stylesheet).length).toBeLessThan(25_000)
})
