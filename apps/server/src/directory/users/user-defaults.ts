import { type Flag, toFlag } from '@stithy/store'
import type { App } from '../../platform/app.ts'

/** What the instance settings say of a new user. */
export function newUserDefaults({ settings }: App): { projectsLimit: number; external: Flag } {
  return {
    projectsLimit: settings.default_projects_limit,
    external: toFlag(settings.user_default_external),
  }
}
