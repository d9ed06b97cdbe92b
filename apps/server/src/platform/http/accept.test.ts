import { describe, expect, it } from 'vitest'
import { prefersHtml } from './accept.ts'

describe('prefersHtml', () => {
  it.each([
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
    'TEXT/HTML; charset=utf-8',
    'application/json;q=0.5, text/html;q=0.9',
    'text/html, application/json',
  ])('is true where HTML comes first: %s', (accept) => {
    expect(prefersHtml(accept)).toBe(true)
  })

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/html',
    'application/json, text/html;q=0.1',
    'text/html;q=0',
    'text/html;q=x',
    'text/htmlx',
    'image/avif,image/webp,*/*;q=0.8',
  ])('is false where it does not: %s', (accept) => {
    expect(prefersHtml(accept)).toBe(false)
  })
})
