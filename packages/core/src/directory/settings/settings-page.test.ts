import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { settingsPage } from '../../../../../docs/settings.ts'

it('docs/settings.md is up to date (`pnpm docs:settings`)', () => {
  const page = new URL('../../../../../docs/settings.md', import.meta.url)
  expect(readFileSync(page, 'utf8')).toBe(settingsPage())
})
