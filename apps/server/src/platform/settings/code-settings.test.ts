import { initialSettings, type Settings } from '@stithy/core'
import { describe, expect, it } from 'vitest'
import type { App } from '../app.ts'
import { loadConfig } from '../config/config.ts'
import { codeLimitsOf, maxInputBytes } from './code-settings.ts'

const config = loadConfig()
const appWith = (changes: Partial<Settings> = {}) =>
  ({ config, settings: { ...initialSettings, ...changes } }) as unknown as App

function timesOf(changes: Partial<Settings>) {
  const { contributors, tree, blame, diff, stats } = codeLimitsOf(appWith(changes))
  return [contributors, tree, blame, diff, stats].map(({ timeoutMs }) => timeoutMs / 1000)
}

describe('codeLimitsOf', () => {
  it.each<[Partial<Settings>, number[]]>([
    [{ gitstore_timeout_default: 20 }, [20, 20, 30, 15]],
    [{ gitstore_timeout_medium: 11 }, [55, 30, 11, 11]],
    [{ gitstore_timeout_default: 0, gitstore_timeout_medium: 0 }, [60, 30, 30, 15]],
    [{ gitstore_timeout_default: 3600 }, [60, 30, 30, 15]],
  ])('lowers times by %j', (changes, expected) => {
    expect(timesOf(changes).slice(0, 4)).toEqual(expected)
  })

  it('lowers the time of counting lines by gitstore_timeout_fast', () => {
    const [, , , , before = 0] = timesOf({ gitstore_timeout_fast: 0 })
    expect(timesOf({ gitstore_timeout_fast: 1 })[4]).toBe(Math.min(1, before))
    expect(timesOf({ gitstore_timeout_fast: 100 })[4]).toBe(before)
  })

  it('leaves out the diff of a file over diff_max_patch_bytes', () => {
    expect(codeLimitsOf(appWith()).diff.maxFileBytes).toBe(102_400)
    const { diff } = codeLimitsOf(appWith({ diff_max_patch_bytes: 1024 }))
    expect(diff.maxFileBytes).toBe(1024)
  })
})

describe('maxInputBytes', () => {
  it('is the setting, or else what is configured', () => {
    expect(maxInputBytes(appWith())).toBe(5120 * 1024 * 1024)
    expect(maxInputBytes(appWith({ receive_max_input_size: 2 }))).toBe(2 * 1024 * 1024)
  })
})
