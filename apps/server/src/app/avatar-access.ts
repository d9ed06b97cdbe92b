import { findUser } from '@stithy/store'
import { requireGroup } from '../directory/groups/group-subject.ts'
import { requireProject } from '../directory/projects/project-subject.ts'
import type { FindAvatar } from '../platform/uploads/uploads.ts'

/** User avatars are public; those of groups and projects require read access. */
export const findAvatar: FindAvatar = async (app, caller, kind, id) => {
  if (kind === 'user') return (await findUser(app.db, Number(id)))?.avatar ?? null
  const subject =
    kind === 'project' ? await requireProject(app, id, caller) : await requireGroup(app, id, caller)
  return subject.row.avatar
}
