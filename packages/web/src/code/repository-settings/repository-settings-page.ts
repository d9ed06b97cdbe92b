import type { NewDeployToken, Project } from '@stithy/core'
import {
  loadManagedProject,
  settingsAddress,
  settingsPage,
} from '../../directory/projects/settings/settings-page.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import { html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { defaultBranchSection } from './default-branch.ts'
import { deployKeySection } from './deploy-keys.ts'
import { deployTokenSection } from './deploy-tokens.ts'
import { protectedBranchSection } from './protected-branches.ts'
import { protectedTagSection } from './protected-tags.ts'

/** What the page shows after a form of it was submitted. */
export interface AfterForm {
  failed?: FailedForm
  /** Shown once, in the answer to the form that created it. */
  newToken?: NewDeployToken
}

/** `GET /<project>/-/settings/repository`. */
export function showRepositorySettings(call: PageCall): Promise<Reply> {
  return repositorySettings(call)
}

/** The page after one of its forms was submitted and nothing is left to redirect to. */
export async function repositorySettings(call: PageCall, after: AfterForm = {}): Promise<Reply> {
  const project = await loadManagedProject(call)
  const current = 'repository'
  if (project.repository_access_level === 'disabled') {
    return settingsPage({ call, project, current, body: card({ body: switchedOff(project) }) })
  }
  const projectId = project.id
  const { client, query } = call
  const [branches, protectedBranches, protectedTags, deployKeys, deployTokens] = await loadAll([
    client.branches.list({ projectId, per_page: 100 }),
    client.protectedBranches.list({ projectId, ...pageNumber(query, 'branches_page') }),
    client.protectedTags.list({ projectId, ...pageNumber(query, 'tags_page') }),
    client.deployKeys.list({ projectId, ...pageNumber(query, 'keys_page') }),
    client.deployTokens.list({ projectId, ...pageNumber(query, 'tokens_page') }),
  ])
  const names = branches.items.map(({ name }) => name)
  const mayChange = project.archived !== true
  const section = { call, project, failed: after.failed, mayChange }
  return settingsPage({
    call,
    project,
    current,
    failed: after.failed,
    locked: 'protected branches and tags, deploy keys and deploy tokens',
    isSecret: after.newToken !== undefined,
    body: html`${defaultBranchSection(section, names)}
${protectedBranchSection(section, protectedBranches, names)}
${protectedTagSection(section, protectedTags)}
${deployKeySection(section, deployKeys)}
${deployTokenSection(section, deployTokens, after.newToken)}`,
  })
}

function switchedOff(project: Project) {
  return emptyState({
    title: 'The repository is switched off',
    text: html`The <a href="${settingsAddress(project.path_with_namespace, 'general')}#visibility">general settings</a> switch it on.`,
  })
}
