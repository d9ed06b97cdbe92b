import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sdkPage } from '../../../../docs/sdk.ts'

it('docs/sdk.md is up to date (`pnpm docs:sdk`)', () => {
  const page = new URL('../../../../docs/sdk.md', import.meta.url)
  expect(readFileSync(page, 'utf8')).toBe(sdkPage())
})
