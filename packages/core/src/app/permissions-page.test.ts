import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { permissionsPage } from '../../../../docs/permissions.ts'

it('docs/permissions.md is up to date (`pnpm docs:permissions`)', () => {
  const page = new URL('../../../../docs/permissions.md', import.meta.url)
  expect(readFileSync(page, 'utf8')).toBe(permissionsPage())
})
