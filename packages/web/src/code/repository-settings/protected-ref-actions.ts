import { protectedBranchLevels, protectedTagLevels } from '@stithy/core'
import { findNamedMembers } from '../../directory/members/named-members.ts'
import { settingsAddress } from '../../directory/projects/settings/settings-page.ts'
import { fieldIds } from '../../platform/forms/form-view.ts'
import { type FormError, type Submission, submit } from '../../platform/forms/submit.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { defaultBranchForm } from './default-branch.ts'
import { protectedBranchForm } from './protected-branches.ts'
import { protectedTagForm } from './protected-tags.ts'
import { repositorySettings } from './repository-settings-page.ts'

/** Leads back to the settings, or shows them with the form that was refused. */
export function afterForm(
  call: PageCall,
  name: string,
  submission: Submission<unknown>,
): Promise<Reply> {
  return submission.ok
    ? Promise.resolve(redirect(settingsAddress(projectPath(call), 'repository')))
    : refused(call, name, submission.formErrors)
}

function refused(call: PageCall, name: string, formErrors: FormError[]): Promise<Reply> {
  return repositorySettings(call, { failed: { name, form: call.form, formErrors } })
}

/** `POST /<project>/-/settings/repository/default_branch`. */
export async function saveDefaultBranch(call: PageCall): Promise<Reply> {
  const saved = await submit(
    call.client.projects.update({
      projectId: projectPath(call),
      default_branch: call.form.text('default_branch'),
    }),
    fieldIds(defaultBranchForm, ['default_branch']),
  )
  return afterForm(call, defaultBranchForm, saved)
}

/** `POST /<project>/-/settings/repository/protected_branches`. */
export async function protectBranch(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const [merge, push] = await loadAll([grantsOf(call, 'merge'), grantsOf(call, 'push')])
  const formErrors = [...merge.formErrors, ...push.formErrors]
  if (formErrors.length > 0) return refused(call, protectedBranchForm, formErrors)
  const saved = await submit(
    client.protectedBranches.create({
      projectId: projectPath(call),
      name: form.text('name'),
      merge_access_level: form.word('merge_access_level', protectedBranchLevels) ?? 40,
      push_access_level: form.word('push_access_level', protectedBranchLevels) ?? 40,
      unprotect_access_level: form.word('unprotect_access_level', protectedBranchLevels) ?? 40,
      ...(merge.grants.length > 0 && { allowed_to_merge: merge.grants }),
      ...(push.grants.length > 0 && { allowed_to_push: push.grants }),
    }),
    fieldIds(protectedBranchForm, ['name']),
  )
  return afterForm(call, protectedBranchForm, saved)
}

async function grantsOf(call: PageCall, kind: 'merge' | 'push') {
  const part = (who: 'users' | 'groups') => ({
    field: `${protectedBranchForm}-${kind}_${who}`,
    text: call.form.text(`${kind}_${who}`),
  })
  const named = await findNamedMembers(call, { users: part('users'), groups: part('groups') })
  return {
    formErrors: named.formErrors,
    grants: [
      ...named.userIds.map((id) => ({ user_id: id })),
      ...named.groupIds.map((id) => ({ group_id: id })),
    ],
  }
}

/** `POST /<project>/-/settings/repository/protected_branches/delete`. */
export async function unprotectBranch(call: PageCall): Promise<Reply> {
  const name = call.form.text('name')
  const removed = call.client.protectedBranches.delete({ projectId: projectPath(call), name })
  return afterForm(call, '', await submit(removed))
}

/** `POST /<project>/-/settings/repository/protected_tags`. */
export async function protectTag(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const saved = await submit(
    client.protectedTags.create({
      projectId: projectPath(call),
      name: form.text('name'),
      create_access_level: form.word('create_access_level', protectedTagLevels) ?? 40,
    }),
    fieldIds(protectedTagForm, ['name']),
  )
  return afterForm(call, protectedTagForm, saved)
}

/** `POST /<project>/-/settings/repository/protected_tags/delete`. */
export async function unprotectTag(call: PageCall): Promise<Reply> {
  const name = call.form.text('name')
  const removed = call.client.protectedTags.delete({ projectId: projectPath(call), name })
  return afterForm(call, '', await submit(removed))
}
