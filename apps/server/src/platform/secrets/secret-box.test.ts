import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { createSecretBox, loadSecretBox } from './secret-box.ts'

const box = createSecretBox('a key of at least 32 characters!')

describe('a secret box', () => {
  it.each(['', 'secret', 'ünïcödé', 'x'.repeat(100_000)])('opens what it has sealed', (secret) => {
    const sealed = box.seal(secret, 'test')
    expect(box.open(sealed, 'test')).toBe(secret)
    if (secret !== '') expect(sealed).not.toContain(secret)
  })

  it('seals the same secret differently each time', () => {
    expect(box.seal('secret', 'test')).not.toBe(box.seal('secret', 'test'))
  })

  it('opens nothing for another purpose, with another key, or that was changed', () => {
    const sealed = box.seal('secret', 'test')
    const other = createSecretBox('another key of 32 characters or so')
    expect(box.open(sealed, 'other')).toBeUndefined()
    expect(other.open(sealed, 'test')).toBeUndefined()
    const middle = Math.floor(sealed.length / 2)
    const letter = sealed[middle] === 'A' ? 'B' : 'A'
    const changed = sealed.slice(0, middle) + letter + sealed.slice(middle + 1)
    for (const text of [changed, sealed.slice(0, -4), '', 'v1.', 'v1.AAAA', 'plain', 'v2.x']) {
      expect(box.open(text, 'test')).toBeUndefined()
    }
  })
})

describe('the key of the secret box', () => {
  let data: string
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'stithy-secrets-'))
  })
  afterAll(() => rm(data, { recursive: true }))

  it('is written at the first start for the owner alone, and used by all who start', async () => {
    const config = loadConfig({ flags: { data } })
    const boxes = await Promise.all([1, 2, 3].map(() => loadSecretBox(config)))
    const path = join(data, 'secret_key')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readFile(path, 'utf8')).toMatch(/^[0-9a-f]{64}$/)
    const sealed = boxes[0]?.seal('secret', 'test') ?? ''
    for (const each of [...boxes, await loadSecretBox(config)]) {
      expect(each.open(sealed, 'test')).toBe('secret')
    }
    await writeFile(path, 'f'.repeat(64))
    expect((await loadSecretBox(config)).open(sealed, 'test')).toBeUndefined()
  })

  it('is STITHY_SECRET_KEY where it is set, which no message shows', async () => {
    const secretKey = 'a configured key of 32 characters'
    const config = loadConfig({ flags: { data }, env: { STITHY_SECRET_KEY: secretKey } })
    const sealed = createSecretBox(secretKey).seal('secret', 'test')
    expect((await loadSecretBox(config)).open(sealed, 'test')).toBe('secret')
    const load = () => loadConfig({ env: { STITHY_SECRET_KEY: 'too short' } })
    expect(load).toThrow('STITHY_SECRET_KEY cannot be its current value')
    expect(load).not.toThrow('too short')
  })
})
