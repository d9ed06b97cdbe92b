import type { MergeCheck, MergeRequestDetail } from '@stithy/core'
import { actionButton } from '../../../platform/design/button.ts'
import { card, notice } from '../../../platform/design/card.ts'
import { checkbox, csrfField, textArea } from '../../../platform/design/form-fields.ts'
import { icon } from '../../../platform/design/icon.ts'
import type { IconName } from '../../../platform/design/icon-paths.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { address, projectAddress } from '../../../platform/text/addresses.ts'
import { plural } from '../../../platform/text/numbers.ts'
import { timeAgo } from '../../../platform/text/time.ts'
import { requestAddress } from '../merge-request-address.ts'
import type { MergeState, RequestView } from '../request-view.ts'
import { conflictHelp } from './conflict-help.ts'

type WidgetCall = Pick<PageCall, 'csrfToken' | 'now' | 'form'>

/** Whether the server is at work on a merge request, so that its page is soon outdated. */
export function isBusy({ state, rebase_in_progress: rebasing }: MergeRequestDetail): boolean {
  return state === 'locked' || rebasing === true
}

/** Whether it can be merged and, if so, the form to do it; if not, the reasons. */
export function mergeWidget(call: WidgetCall, view: RequestView, state: MergeState): Html {
  const { request } = view
  if (request.state === 'merged') return outcome('git-merge', 'merged', mergedText(call, view))
  if (request.state === 'closed')
    return outcome('git-pull-request-closed', 'danger', closedText(call, view))
  if (request.state === 'locked') {
    return outcome('sync', 'warning', html`This is being merged. The page shows when it is done.`)
  }
  if (request.rebase_in_progress === true) {
    return outcome(
      'sync',
      'warning',
      html`The source branch is being rebased. The page shows when it is done.`,
    )
  }
  return card({
    title: 'Merge',
    id: 'merge',
    body: html`${request.merge_error && notice(request.merge_error, 'danger')}
${checkList(state.checks)}
${conflictHelp(view, state.checks)}${rebaseForm(call, view, state.checks)}
${mergeForm(call, view, state.checks)}`,
  })
}

function outcome(name: IconName, kind: string, text: Html): Html {
  return card({
    id: 'merge',
    body: html`<p class="row"><span class="state ${kind}">${icon(name)}</span><span class="grow">${text}</span></p>`,
  })
}

function mergedText({ now }: WidgetCall, { request, project }: RequestView): Html {
  const { merged_by: by, merged_at: at, merge_commit_sha: sha, target_branch: branch } = request
  const path = project.path_with_namespace
  return html`Merged${by && html` by <a href="${address(by.username)}">${by.name}</a>`} into <code>${branch}</code>${at !== null && html` ${timeAgo(at, now)}`}${sha !== null && html` with <a href="${projectAddress(path, 'commit', sha)}"><code>${sha.slice(0, 8)}</code></a>`}.`
}

function closedText({ now }: WidgetCall, { request }: RequestView): Html {
  const { closed_by: by, closed_at: at } = request
  return html`Closed${by && html` by <a href="${address(by.username)}">${by.name}</a>`}${at !== null && html` ${timeAgo(at, now)}`}, without being merged.`
}

const texts: Readonly<Record<MergeCheck['name'], { passed: string; failed: string }>> = {
  open: { passed: 'It is open.', failed: 'It is not open.' },
  draft: { passed: 'It is no draft.', failed: 'It is a draft.' },
  commits: {
    passed: 'It has commits.',
    failed: 'The source branch is gone, or has no commits of its own.',
  },
  conflict: {
    passed: 'There are no conflicts.',
    failed: 'There are conflicts with the target branch.',
  },
  pipeline: {
    passed: 'The pipeline has passed.',
    failed: 'The newest commit needs a pipeline that passes.',
  },
  discussions: { passed: 'All threads are resolved.', failed: 'All threads must be resolved.' },
  approvals: { passed: 'It has the approvals that it needs.', failed: 'It needs more approvals.' },
  rebase: {
    passed: 'It is up to date with the target branch.',
    failed: 'The source branch must be rebased onto the target branch.',
  },
}

/** What has failed, and of what has passed that which the project asks for. */
function checkList(checks: readonly MergeCheck[]): Html {
  const trivial = new Set<MergeCheck['name']>(['open', 'draft', 'commits'])
  const shown = checks.filter(
    ({ name, status }) => status !== 'inactive' && (status !== 'passed' || !trivial.has(name)),
  )
  return html`<ul class="plain checks">${shown.map(checkItem)}</ul>`
}

function checkItem({ name, status }: MergeCheck): Html {
  const { passed, failed } = texts[name]
  if (status === 'checking') {
    return html`<li><span class="state warning">${icon('sync', 'Not known yet')}</span> Whether there are conflicts is being checked.</li>`
  }
  return status === 'passed'
    ? html`<li><span class="state good">${icon('check', 'Passed')}</span> ${passed}</li>`
    : html`<li><span class="state danger">${icon('x', 'Failed')}</span> ${failed}</li>`
}

function hasFailed(checks: readonly MergeCheck[], name: MergeCheck['name']): boolean {
  return checks.some((check) => check.name === name && check.status === 'failed')
}

/** Offered where a rebase is needed or brings something; the API says who may push to the branch. */
function rebaseForm(
  call: WidgetCall,
  { request, project, viewer, mayUpdate }: RequestView,
  checks: readonly MergeCheck[],
): Html | undefined {
  const behind = request.diverged_commits_count ?? 0
  if (viewer === null || !mayUpdate || hasFailed(checks, 'conflict')) return undefined
  if (behind === 0 && !hasFailed(checks, 'rebase')) return undefined
  const action = requestAddress(
    { project: project.path_with_namespace, iid: request.iid },
    'rebase',
  )
  return html`<p class="row"><span class="muted grow">${behind > 0 && `The target branch has ${plural(behind, 'commit')} that the source branch lacks.`}</span>${actionButton(call, { action, text: 'Rebase' })}</p>`
}

function mergeForm(
  call: WidgetCall,
  view: RequestView,
  checks: readonly MergeCheck[],
): Html | undefined {
  const { request, viewer, project } = view
  const action = requestAddress({ project: project.path_with_namespace, iid: request.iid }, 'merge')
  if (viewer === null) return undefined
  if (request.merge_when_pipeline_succeeds) return waiting(call, view)
  if (!request.user.can_merge) {
    return html`<p class="muted">You may not merge into <code>${request.target_branch}</code>. Ask somebody who may.</p>`
  }
  const isRunning = activeStates.has(request.head_pipeline?.status ?? '')
  const blocking = checks.filter(
    ({ name, status }) => status === 'failed' && !(name === 'pipeline' && isRunning),
  )
  if (blocking.length > 0) return undefined
  const canMergeNow = !hasFailed(checks, 'pipeline')
  return html`<form method="post" action="${action}">${csrfField(call)}<input type="hidden" name="sha" value="${request.sha}">
${mergeOptions(call, request)}
<div class="buttons">${isRunning && html`<button class="primary" name="merge_when_pipeline_succeeds" value="1">Merge when the pipeline succeeds</button>`}
${canMergeNow && html`<button class="${!isRunning && 'primary'}">${isRunning ? 'Merge now' : 'Merge'}</button>`}</div></form>`
}

const activeStates: ReadonlySet<string> = new Set(['created', 'preparing', 'pending', 'running'])

function mergeOptions({ form }: WidgetCall, request: MergeRequestDetail): Html {
  const isAgain = form.has('sha')
  const flag = (id: string, value: boolean) => ({
    id,
    isChecked: isAgain ? form.isChecked(id) : value,
  })
  return html`${checkbox({ ...flag('should_remove_source_branch', request.force_remove_source_branch), label: 'Delete the source branch' })}
${checkbox({ ...flag('squash', request.squash), label: 'Squash the commits into one' })}
<details><summary>Change the messages</summary>
${textArea({ id: 'merge_commit_message', label: 'Message of the merge commit', hint: 'Left empty, it names the branches and the merge request.', value: form.text('merge_commit_message'), rows: 4 })}
${textArea({ id: 'squash_commit_message', label: 'Message of the squashed commit', hint: 'Left empty, it is that of the first commit with more than a title, or the title.', value: form.text('squash_commit_message'), rows: 4 })}
</details>`
}

function waiting(call: WidgetCall, { request, project, viewer }: RequestView): Html {
  const key = { project: project.path_with_namespace, iid: request.iid }
  const mayCancel = request.user.can_merge || request.author.id === viewer?.id
  return html`<p class="row"><span class="grow">It is merged when its pipeline succeeds.</span>${mayCancel && actionButton(call, { action: requestAddress(key, 'cancel_auto_merge'), text: 'Cancel' })}</p>`
}
