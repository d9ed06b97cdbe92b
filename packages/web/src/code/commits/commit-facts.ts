import {
  type CommitDetail,
  type CommitSignature,
  type CommitStatus,
  cutText,
  type MergeRequest,
} from '@stithy/core'
import { avatar } from '../../platform/design/avatar.ts'
import { type BadgeKind, badge } from '../../platform/design/badge.ts'
import { card } from '../../platform/design/card.ts'
import { icon } from '../../platform/design/icon.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { characters, cutNotice } from '../../platform/pages/long-texts.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { plural } from '../../platform/text/numbers.ts'
import { timeAgo } from '../../platform/text/time.ts'

/** What is known of a commit besides its diff; undefined is what the viewer may not see. */
export interface CommitFacts {
  commit: CommitDetail
  signature: CommitSignature | undefined
  refs:
    | { items: readonly { type: 'branch' | 'tag'; name: string }[]; total: number | null }
    | undefined
  statuses: { items: readonly CommitStatus[] } | undefined
  requests: readonly Pick<MergeRequest, 'iid' | 'title'>[]
}

/** Characters of a message that a page shows. */
const maxMessage = 50_000

/** Who made a commit, when, and where it is. */
export function aboutCommit(project: string, facts: CommitFacts, now: number): Html {
  const { commit } = facts
  const text = commit.message.slice(commit.title.length).trim()
  return card({
    body: html`<div class="stack">${people(commit, now)}
${text !== '' && messageText(text, projectAddress(project, 'commit', commit.id, 'message'))}
<ul class="plain commit-facts">
<li>${icon('git-commit')} <span class="mono">${commit.id}</span></li>
${parents(project, commit)}${signatureFact(facts.signature)}${containing(project, facts.refs)}${requestFact(project, facts.requests)}
${commit.stats && html`<li>${icon('diff')} ${plural(commit.stats.additions, 'line')} added, ${commit.stats.deletions} removed</li>`}
</ul>${statusList(facts.statuses?.items ?? [])}</div>`,
  })
}

/** @param whole the address that has the whole message */
function messageText(text: string, whole: string): Html {
  const shown = cutText(text, maxMessage)
  const isCut = shown.length < text.length
  return html`<pre class="message">${shown}</pre>${isCut && cutNotice(characters(text), whole)}`
}

function people(commit: CommitDetail, now: number): Html {
  const isSame = commit.author_email === commit.committer_email
  const committed =
    !isSame &&
    html`, committed by <span title="${commit.committer_email}">${commit.committer_name}</span> ${timeAgo(commit.committed_date, now)}`
  return html`<p class="row">${avatar({ name: commit.author_name || '?' })}<span><span class="strong" title="${commit.author_email}">${commit.author_name}</span> <span class="muted">authored ${timeAgo(commit.authored_date, now)}${committed}</span></span></p>`
}

function parents(project: string, { parent_ids: ids }: CommitDetail): Html {
  if (ids.length === 0) return html`<li>${icon('git-branch')} The first commit</li>`
  const links = ids.map(
    (id) =>
      html` <a class="mono" href="${projectAddress(project, 'commit', id)}">${id.slice(0, 8)}</a>`,
  )
  return html`<li>${icon('git-branch')} ${ids.length === 1 ? 'Parent' : 'Parents'}${links}</li>`
}

const verdicts: Readonly<Record<string, { text: string; kind: BadgeKind }>> = {
  verified: { text: 'Verified', kind: 'good' },
  unverified: { text: 'Unverified', kind: 'danger' },
  same_user_different_email: { text: 'Verified, with another address', kind: 'warning' },
  other_user: { text: 'Signed by someone else', kind: 'danger' },
  unverified_key: { text: 'Signed with an unverified key', kind: 'warning' },
  unknown_key: { text: 'Signed with an unknown key', kind: 'warning' },
}

function signatureFact(signature: CommitSignature | undefined): Html | undefined {
  if (signature === undefined) return undefined
  const verdict = verdicts[signature.verification_status]
  const by = signature.gpg_key_user_name
  return html`<li>${icon('key')} ${badge(verdict?.text ?? signature.verification_status, verdict?.kind)} GPG key <span class="mono">${signature.gpg_key_primary_keyid}</span>${by !== null && ` of ${by}`}</li>`
}

function containing(project: string, refs: CommitFacts['refs']): Html | undefined {
  if (refs === undefined || refs.items.length === 0) return undefined
  const links = refs.items.map(
    ({ type, name }) =>
      html` <a class="label" href="${projectAddress(project, 'tree', name)}">${icon(type === 'tag' ? 'tag' : 'git-branch', type)}${name}</a>`,
  )
  const more = (refs.total ?? 0) - refs.items.length
  return html`<li>${icon('tag')} In${links}${more > 0 && ` and ${more} more`}</li>`
}

function requestFact(project: string, requests: CommitFacts['requests']): Html | undefined {
  if (requests.length === 0) return undefined
  const links = requests.map(
    ({ iid, title }) =>
      html` <a href="${projectAddress(project, 'merge_requests', iid)}" title="${title}">!${iid}</a>`,
  )
  return html`<li>${icon('git-pull-request')} Merge requests${links}</li>`
}

const statusKinds: Readonly<Record<string, BadgeKind>> = {
  success: 'good',
  failed: 'danger',
  canceled: 'warning',
  running: 'warning',
  pending: 'warning',
}

function statusList(statuses: readonly CommitStatus[]): Html | undefined {
  if (statuses.length === 0) return undefined
  const items = statuses.map(({ name, status, description, target_url: url }) => {
    const link = url === null ? name : html`<a href="${url}" rel="nofollow noreferrer">${name}</a>`
    return html`<li>${badge(status, statusKinds[status])} ${link} <span class="muted">${description}</span></li>`
  })
  return html`<section><h2 class="small">Statuses</h2><ul class="plain">${items}</ul></section>`
}
