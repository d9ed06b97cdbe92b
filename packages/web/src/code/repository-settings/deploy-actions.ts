import { deployTokenScopes } from '@stithy/core'
import { fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { deployKeyForm } from './deploy-keys.ts'
import { deployTokenForm } from './deploy-tokens.ts'
import { afterForm } from './protected-ref-actions.ts'
import { repositorySettings } from './repository-settings-page.ts'

/** `POST /<project>/-/settings/repository/deploy_keys`. */
export async function addDeployKey(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const added = await submit(
    client.deployKeys.create({
      projectId: projectPath(call),
      title: form.text('title'),
      key: form.text('key').trim(),
      can_push: form.isChecked('can_push'),
    }),
    { title: 'key-title', key: 'key-key', fingerprint: 'key-key' },
  )
  return afterForm(call, deployKeyForm, added)
}

/** `POST /<project>/-/settings/repository/deploy_keys/:id`: whether it may write. */
export async function changeDeployKey(call: PageCall): Promise<Reply> {
  const changed = await submit(
    call.client.deployKeys.update({
      projectId: projectPath(call),
      keyId: rowId(call),
      can_push: call.form.isChecked('can_push'),
    }),
  )
  return afterForm(call, '', changed)
}

/** `POST /<project>/-/settings/repository/deploy_keys/:id/delete`. */
export async function removeDeployKey(call: PageCall): Promise<Reply> {
  const removed = call.client.deployKeys.delete({
    projectId: projectPath(call),
    keyId: rowId(call),
  })
  return afterForm(call, '', await submit(removed))
}

/** `POST /<project>/-/settings/repository/deploy_tokens`: answers with the token, which is shown once. */
export async function createDeployToken(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const chosen = form.texts('scopes')
  const expires = form.optionalText('expires_at')
  const created = await submit(
    client.deployTokens.create({
      projectId: projectPath(call),
      name: form.text('name'),
      username: form.text('username'),
      scopes: deployTokenScopes.filter((scope) => chosen.includes(scope)),
      ...(expires !== undefined && { expires_at: expires }),
    }),
    fieldIds(deployTokenForm, ['name', 'username', 'expires_at']),
  )
  return created.ok
    ? repositorySettings(call, { newToken: created.value })
    : afterForm(call, deployTokenForm, created)
}

/** `POST /<project>/-/settings/repository/deploy_tokens/:id/delete`. */
export async function revokeDeployToken(call: PageCall): Promise<Reply> {
  const tokenId = rowId(call)
  const revoked = call.client.deployTokens.delete({ projectId: projectPath(call), tokenId })
  return afterForm(call, '', await submit(revoked))
}
