import { expect, it } from 'vitest'
import { readIconPaths } from '../icons.ts'
import { iconPaths } from '../src/platform/design/icon-paths.ts'

it('has the icons of the package: `pnpm web:icons` writes them', () => {
  expect(iconPaths).toEqual(readIconPaths())
})
