import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quickActionNames, splitQuickActions } from './quick-action.rules.ts'

describe('splitQuickActions', () => {
  it.each(quickActionNames)('recognizes /%s', (name) => {
    expect(splitQuickActions(`/${name}`)).toEqual({ text: '', commands: [{ name, argument: '' }] })
    expect(splitQuickActions(`Text\n/${name} some thing \nMore`)).toEqual({
      text: 'Text\nMore',
      commands: [{ name, argument: 'some thing' }],
    })
  })

  it.each([
    ['blanks and a carriage return', `${' '.repeat(100_000)}\r x`, 'label', '\r x'],
    ['tabs', '\t'.repeat(100_000), 'label', ''],
    ['an argument of 1,024 characters', ` ${'a'.repeat(1024)}`, 'label', 'a'.repeat(1024)],
  ])('recognizes a command with %s', (_, rest, name, argument) => {
    expect(splitQuickActions(`/${name}${rest}`).commands).toEqual([
      { name, argument: argument.trim() },
    ])
  })

  it('leaves a command with a longer argument unchanged', () => {
    const text = `/label ${'a'.repeat(1025)}`
    expect(splitQuickActions(text)).toEqual({ text, commands: [] })
  })

  it('accepts commands in any case, with any line ends', () => {
    expect(splitQuickActions('a\r\n/CLOSE\r\n/Label ~b\r\nc')).toEqual({
      text: 'a\r\nc',
      commands: [
        { name: 'close', argument: '' },
        { name: 'label', argument: '~b' },
      ],
    })
  })

  it.each([
    'text',
    '/unknown thing',
    '/closed',
    '/close_it',
    '/close! now',
    ' /close',
    'text /close',
    '> /close',
    '/path/to/close',
    '//close',
    '/ close',
    '`a\n/close\n`',
    '```\n/close\n```',
    '~~~\n/close',
    'a\n\n    /close',
    '<!--\n/close\n-->',
    '/toString',
    '/constructor',
    '  text with blanks around  ',
  ])('leaves %j unchanged', (text) => {
    expect(splitQuickActions(text)).toEqual({ text, commands: [] })
  })

  it('finds commands after code', () => {
    expect(splitQuickActions('```\n/close\n```\n/reopen')).toEqual({
      text: '```\n/close\n```',
      commands: [{ name: 'reopen', argument: '' }],
    })
  })

  it('replaces emoticon commands by their text', () => {
    expect(splitQuickActions('Hm\n/shrug who knows\n/tableflip')).toEqual({
      text: 'Hm\nwho knows ¯\\＿(ツ)＿/¯\n(╯°□°)╯︵ ┻━┻',
      commands: [],
    })
  })

  it('finds every command, and keeps every other line', () => {
    const argument = fc.stringMatching(/^[a-z ~#@0-9]{0,12}$/)
    const command = fc.tuple(fc.constantFrom(...quickActionNames), argument)
    const line = fc.stringMatching(/^[a-z][a-z ,.]{0,20}$/)
    fc.assert(
      fc.property(fc.array(fc.oneof(command, line)), (lines) => {
        const written = lines.map((it) => (typeof it === 'string' ? it : `/${it[0]} ${it[1]}`))
        const { text, commands } = splitQuickActions(written.join('\n'))
        const kept = lines.filter((it) => typeof it === 'string')
        const some = lines.filter((it) => typeof it !== 'string')
        expect(text.trim()).toBe(kept.join('\n').trim())
        expect(commands).toEqual(some.map(([name, rest]) => ({ name, argument: rest.trim() })))
      }),
    )
  })

  it('finds no more commands in the remaining text', () => {
    const piece = fc.constantFrom('/close', '/x', '\n', '\n\n', '```', '`', '> ', ' ', 'a', '    ')
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { text } = splitQuickActions(pieces.join(''))
        expect(text.split('\n').length).toBeLessThanOrEqual(pieces.join('').split('\n').length)
      }),
    )
  })
})
