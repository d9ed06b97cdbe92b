import {
  DomainError,
  decideOnProject,
  maxOptionBranches,
  parseRef,
  type RequestPushOptions,
  requestPushOptions,
} from '@stithy/core'
import { listOpenBySource, type MergeRequestRow } from '@stithy/store'
import type { AnsweredPush } from '../../code/git-http/push-messages.ts'
import type { App } from '../../platform/app.ts'
import { webUrl } from '../../platform/http/urls.ts'
import { applyPushOptions } from './push-options.service.ts'

/**
 * Opens and updates merge requests as the options of a push ask, and returns for each pushed branch
 * the address of its merge request, or the one to create one at, unless the project turned that off.
 * A refusal becomes a warning.
 */
export async function answerPush(app: App, push: AnsweredPush): Promise<string[]> {
  const { project, caller, updates } = push
  if (caller.user === null) return []
  const { facts } = project
  if (!decideOnProject('create_merge_request_from', caller.facts, facts).allowed) return []
  const branches = updates.flatMap(({ ref, after }) => {
    const named = parseRef(ref)
    return named?.type === 'branch' && after !== null ? [{ name: named.name, tip: after }] : []
  })
  const options = requestPushOptions(push.options)
  const messages: string[] = []
  if (options !== undefined && branches.length > maxOptionBranches) {
    messages.push(warning([`Push options apply to at most ${maxOptionBranches} branches`]))
  }
  for (const branch of branches.slice(0, maxOptionBranches)) {
    messages.push(...(await answerBranch(app, push, branch, options)))
  }
  return messages
}

async function answerBranch(
  app: App,
  push: AnsweredPush,
  branch: { name: string; tip: string },
  options: RequestPushOptions | undefined,
): Promise<string[]> {
  const { id: projectId, defaultBranch, fullPath } = push.project.row
  const key = { projectId, branch: branch.name }
  let open = await listOpenBySource(app.db, key)
  const messages: string[] = []
  if (options !== undefined) {
    try {
      await applyPushOptions(app, push, { ...branch, open }, options)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      messages.push(warning(textsOf(error)))
    }
    open = await listOpenBySource(app.db, key)
  }
  if (push.project.row.printingMergeRequestLinkEnabled === 0) return messages
  if (open.length > 0) messages.push(viewMessage(app, branch.name, open))
  else if (branch.name !== defaultBranch) {
    const query = `merge_request%5Bsource_branch%5D=${encodeURIComponent(branch.name)}`
    const url = webUrl(app.config, `${fullPath}/merge_requests/new?${query}`)
    messages.push(boxed(`To create a merge request for ${branch.name}, visit:`, [url]))
  }
  return messages
}

function viewMessage(app: App, branch: string, open: readonly MergeRequestRow[]): string {
  const urls = open.map(({ projectFullPath, iid }) =>
    webUrl(app.config, `${projectFullPath}/merge_requests/${iid}`),
  )
  return boxed(`View merge request for ${branch}:`, urls)
}

function boxed(title: string, lines: readonly string[]): string {
  return ['', title, ...lines.map((line) => `  ${line}`), ''].join('\n')
}

function warning(texts: readonly string[]): string {
  return boxed('WARNINGS:', ['Error encountered with push options:', ...texts])
}

function textsOf({ detail, message }: DomainError): readonly string[] {
  if (detail.reasons !== undefined) return detail.reasons
  if (detail.fields !== undefined) {
    return Object.entries(detail.fields).flatMap(([field, texts]) =>
      texts.map((text) => `${field} ${text}`),
    )
  }
  return detail.error === undefined ? [message] : [detail.error].flat()
}
