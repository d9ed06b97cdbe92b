import { describe, expect, it } from 'vitest'
import { fillLicense } from './license.rules.ts'

const values = { year: '2030', project: 'A $& B', fullname: 'Zoë' }

describe('fillLicense', () => {
  it.each([
    ['(c) [year] [fullname]', '(c) 2030 Zoë'],
    ['<year>  <name of author>', '2030  Zoë'],
    ['[yyyy] [name of copyright owner]', '2030 Zoë'],
    ['<program> and [project]', 'A $& B and A $& B'],
    ["<one line to give the program's name and a brief idea of what it does.>", 'A $& B'],
    ['<https://a.example/> [other] "[]"', '<https://a.example/> [other] "[]"'],
  ])('fills %j', (content, filled) => {
    expect(fillLicense(content, values)).toBe(filled)
  })

  it('leaves placeholders without a value', () => {
    const content = '[year] [fullname] <program>'
    expect(fillLicense(content, { year: '2030' })).toBe('2030 [fullname] <program>')
    expect(fillLicense(content, { ...values, fullname: '', project: '' })).toBe(
      '2030 [fullname] <program>',
    )
  })
})
