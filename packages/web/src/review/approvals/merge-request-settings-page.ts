import { StithyError } from '@stithy/client'
import type { ApprovalRule, Project, ProjectApprovals } from '@stithy/core'
import {
  loadManagedProject,
  settingsAddress,
  settingsPage,
} from '../../directory/projects/settings/settings-page.ts'
import { card } from '../../platform/design/card.ts'
import { checkbox, csrfField, radioGroup, textField } from '../../platform/design/form-fields.ts'
import { type FailedForm, FormView } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { ruleList } from './approval-rules.ts'

export const mergeForm = 'merge'
export const approvalForm = 'approvals'

/** `GET /<project>/-/settings/merge_requests`: how they are merged and approved. */
export function showMergeRequestSettings(call: PageCall): Promise<Reply> {
  return mergeRequestSettings(call)
}

/** The page, also after a form of it was refused. */
export async function mergeRequestSettings(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const [project, approvals] = await loadAll([loadManagedProject(call), loadApprovals(call)])
  return settingsPage({
    call,
    project,
    current: 'merge_requests',
    failed,
    body: html`${card({ title: 'Merging', body: mergeFields(call, project, failed) })}
${approvals && approvalSettings(call, project, approvals, failed)}`,
    ...(approvals !== undefined && { locked: 'approvals and their rules' }),
  })
}

/** Undefined where the tier has no approvals, or merge requests are switched off. */
async function loadApprovals(
  call: PageCall,
): Promise<{ settings: ProjectApprovals; rules: readonly ApprovalRule[] } | undefined> {
  const projectId = projectPath(call)
  try {
    const [settings, rules] = await loadAll([
      call.client.projects.approvals.show({ projectId }),
      call.client.projects.approvalRules.list({ projectId }),
    ])
    return { settings, rules }
  } catch (error) {
    if (error instanceof StithyError && error.status === 403) return undefined
    throw error
  }
}

const methods = [
  { value: 'merge', text: 'Merge commit', hint: 'Every merge is a commit of its own.' },
  {
    value: 'rebase_merge',
    text: 'Merge commit, without diverged branches',
    hint: 'The source branch must be rebased first.',
  },
  {
    value: 'ff',
    text: 'Fast-forward',
    hint: 'No merge commits; the branch must be rebased first.',
  },
] as const

const checks = {
  only_allow_merge_if_pipeline_succeeds: 'The pipeline must have succeeded',
  only_allow_merge_if_all_discussions_are_resolved: 'All discussions must be resolved',
  resolve_outdated_diff_discussions: 'A push resolves discussions on lines that it changes',
  printing_merge_request_link_enabled: 'A push prints the link to its merge request',
} as const

export const checkNames = Object.keys(checks) as (keyof typeof checks)[]

function mergeFields(call: PageCall, project: Project, failed: FailedForm | undefined): Html {
  const view = new FormView(mergeForm, failed)
  const boxes = checkNames.map((name) =>
    checkbox({ ...view.check(name, project[name]), label: checks[name] }),
  )
  return html`<form method="post" action="${settingsAddress(project.path_with_namespace, 'merge_requests')}">
${csrfField(call)}
${radioGroup({ name: 'merge_method', legend: 'Merge method', options: methods, value: view.text('merge_method', project.merge_method).value })}
<fieldset><legend>Before and after a merge</legend>${boxes}</fieldset>
<button class="primary">Save merging</button>
</form>`
}

const settings = {
  merge_requests_author_approval: 'Authors may approve their own merge requests',
  disable_overriding_approvers_per_merge_request: 'Merge requests have no rules of their own',
  reset_approvals_on_push: 'A push takes all approvals back',
} as const

export const approvalSettingNames = Object.keys(settings) as (keyof typeof settings)[]

function approvalSettings(
  call: PageCall,
  project: Project,
  approvals: { settings: ProjectApprovals; rules: readonly ApprovalRule[] },
  failed: FailedForm | undefined,
): Html {
  const view = new FormView(approvalForm, failed)
  const path = project.path_with_namespace
  const boxes = approvalSettingNames.map((name) =>
    checkbox({ ...view.check(name, approvals.settings[name]), label: settings[name] }),
  )
  const fields = html`${textField({ ...view.text('approvals_before_merge', approvals.settings.approvals_before_merge), label: 'Approvals that are required', type: 'number', hint: 'Where the project has no approval rules.' })}
${boxes}`
  const form = html`<form method="post" action="${settingsAddress(path, 'merge_requests', 'approvals')}">
${csrfField(call)}
${fields}
<div class="buttons"><button class="primary">Save approvals</button></div>
</form>`
  const mayChange = project.archived !== true
  const body = mayChange ? form : html`<fieldset disabled>${fields}</fieldset>`
  return html`${card({ title: 'Approvals', body })}
${ruleList({ call, project: path, rules: approvals.rules, mayChange, failed })}`
}
