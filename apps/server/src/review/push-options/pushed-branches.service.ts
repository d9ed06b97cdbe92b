import {
  DomainError,
  decideOnProject,
  maxOptionBranches,
  parseRef,
  requestPushOptions,
} from '@stithy/core'
import { listOpenBySource } from '@stithy/store'
import type { AnsweredPush } from '../../code/git-http/push-messages.ts'
import type { App } from '../../platform/app.ts'
import { applyPushOptions } from './push-options.service.ts'

interface Branch {
  name: string
  tip: string
}

/**
 * Opens and updates merge requests as the options of a push ask. Returns warnings by branch, those
 * about the whole push under an empty name.
 */
export async function applyToBranches(
  app: App,
  push: AnsweredPush,
): Promise<ReadonlyMap<string, string[]>> {
  const warnings = new Map<string, string[]>()
  const options = requestPushOptions(push.options)
  if (options === undefined) return warnings
  const branches = pushedBranches(push)
  if (branches.length > maxOptionBranches) {
    const text = `Push options apply to at most ${maxOptionBranches} branches`
    warnings.set('', [warning([text])])
  }
  const projectId = push.project.row.id
  for (const branch of branches.slice(0, maxOptionBranches)) {
    const open = await listOpenBySource(app.db, { projectId, branch: branch.name })
    try {
      await applyPushOptions(app, push, { ...branch, open }, options)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      warnings.set(branch.name, [warning(textsOf(error))])
    }
  }
  return warnings
}

/** The branches that may have merge requests: none where the caller may not create any. */
export function pushedBranches({ project, caller, updates }: AnsweredPush): Branch[] {
  if (caller.user === null) return []
  if (!decideOnProject('create_merge_request_from', caller.facts, project.facts).allowed) return []
  return updates.flatMap(({ ref, after }) => {
    const named = parseRef(ref)
    return named?.type === 'branch' && after !== null ? [{ name: named.name, tip: after }] : []
  })
}

/** A message with a title, set off by blank lines. */
export function boxed(title: string, lines: readonly string[]): string {
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
