import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { settingNames, settingOf } from '@stithy/core'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The server's code, without the table of settings and what is derived from it. */
const source = [
  'apps/server/src/**/*.ts',
  'packages/store/src/**/*.ts',
  'packages/core/src/**/*.rules.ts',
]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((file) => !/\.test\.ts$|\/testing\/|\/directory\/settings\//.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n')

/** Names that the configuration, or a column of a project or group, has as well. */
const ambiguous = ['shared_runners_minutes', 'auto_devops_enabled', 'file_template_project_id']

it('settings that are said to act, and no others, are read by the server', () => {
  const acting = settingNames.filter((name) => settingOf(name).acts)
  const isRead = (name: string) => new RegExp(`\\b${name}\\b`).test(source)
  expect(acting.filter((name) => !isRead(name))).toEqual([])
  const others = settingNames.filter((name) => !settingOf(name).acts && isRead(name))
  expect(others.filter((name) => !ambiguous.includes(name))).toEqual([])
})
