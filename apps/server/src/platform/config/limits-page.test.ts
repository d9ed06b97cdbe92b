import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { operationPage } from '../../../../../docs/limits.ts'
import { defaultSettings } from './config.ts'
import { settingLimits } from './setting-limits.ts'

describe('docs/operation.md', () => {
  it('has the limits of the code (`pnpm docs:limits`)', async () => {
    const page = new URL('../../../../../docs/operation.md', import.meta.url)
    const text = await readFile(page, 'utf8')
    expect(operationPage(text)).toBe(text)
  })

  it('has every setting that is a number', () => {
    const numbers = Object.entries(defaultSettings()).filter(([, value]) => Number.isInteger(value))
    const limits = numbers
      .map(([name]) => name)
      .filter((name) => !['port', 'ssh_port', 'worker_concurrency'].includes(name))
    expect(Object.keys(settingLimits).toSorted()).toEqual(limits.toSorted())
  })
})
