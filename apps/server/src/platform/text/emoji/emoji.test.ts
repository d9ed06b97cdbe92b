import { describe, expect, it } from 'vitest'
import { findEmoji } from './emoji.ts'
import { emojiByName } from './emoji-list.ts'

describe('findEmoji', () => {
  it.each([
    ['tada', 'tada', '🎉'],
    ['thumbsup', 'thumbsup', '👍'],
    ['+1', 'thumbsup', '👍'],
    ['-1', 'thumbsdown', '👎'],
    ['memo', 'pencil', '📝'],
    ['de', 'flag_de', '🇩🇪'],
    ['flag_de', 'flag_de', '🇩🇪'],
    ['slightly_smiling_face', 'slight_smile', '🙂'],
    ['slight_smile', 'slight_smile', '🙂'],
    ['t-rex', 't-rex', '🦖'],
  ])('finds %j', (given, name, glyph) => {
    expect(findEmoji(given)).toMatchObject({ name, glyph })
  })

  it.each(['', 'nothing', ':tada:', 'Tada', 'constructor', '__proto__'])(
    'does not find %j',
    (given) => {
      expect(findEmoji(given)).toBeUndefined()
    },
  )

  it('has one canonical name per glyph, which finds it again', () => {
    const names = new Map<string, string>()
    for (const { name, glyph } of emojiByName.values()) {
      expect(names.get(glyph) ?? name).toBe(name)
      names.set(glyph, name)
      expect(emojiByName.get(name)?.glyph).toBe(glyph)
    }
    expect(new Set(names.values()).size).toBe(names.size)
  })
})
