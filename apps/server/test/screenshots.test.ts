import { readdirSync, readFileSync, statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestPages, type PageDigests, pictured } from '../src/testing/screenshots/page-digests.ts'
import { buildSample, type Sample } from '../src/testing/screenshots/sample-data.ts'

const folder = new URL('../../../docs/screenshots/', import.meta.url)
const names = Object.keys(pictured)
const remedy = 'the pictures are older: run `pnpm docs:screenshots`'

describe('the pictures of docs/screenshots', () => {
  const made: PageDigests = JSON.parse(readFileSync(new URL('pages.json', folder), 'utf8'))
  let sample: Sample
  let current: PageDigests

  beforeAll(async () => {
    sample = await buildSample()
    current = await digestPages(sample)
  })
  afterAll(() => sample?.server.close())

  it('were made with the style sheet of the pages', () => {
    expect(current.style, `the style sheet changed, ${remedy}`).toBe(made.style)
  })

  it.each(names)('were made of the page %s as it is', (name) => {
    expect(current.pages[name], `the page ${name} changed, ${remedy}`).toBe(made.pages[name])
  })

  it('show each page in both colour schemes, on a desktop and a phone, in 1.5 MB', () => {
    const pictures = readdirSync(folder).filter((file) => file.endsWith('.webp'))
    const looks = ['light-desktop', 'light-phone', 'dark-desktop', 'dark-phone']
    const expected = names.flatMap((name) => looks.map((look) => `${name}-${look}.webp`))
    expect(pictures.toSorted()).toEqual(expected.toSorted())
    const sizes = pictures.map((file) => statSync(new URL(file, folder)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_500_000)
  })
})
