import { commentForm } from '../../planning/discussions/comment-form.ts'
import { discussionTimeline } from '../../planning/discussions/discussion-timeline.ts'
import type { DiscussionView } from '../../planning/discussions/discussion-view.ts'
import { issueNoteable } from '../../planning/discussions/noteable.ts'
import { reactions } from '../../planning/discussions/reactions.ts'
import type { ShownDiscussion } from '../../planning/discussions/read-discussions.ts'
import { timeline, timelineEntry } from '../../platform/design/timeline.ts'
import { html } from '../../platform/html/html.ts'
import { awardSamples, kim, labelEventSample, noor, noteSample } from './samples.ts'
import { type Family, type SpecimenCall, specimen, specimenAddress } from './specimen.ts'

/** What was said and done. */
export function discussionSpecimens(call: SpecimenCall): Family {
  const view = discussionView(call)
  const awards = { call, address: specimenAddress, noteId: 1, awards: awardSamples(1) }
  return {
    id: 'discussions',
    title: 'Timelines and discussions',
    specimens: [
      specimen(
        'Entries of a timeline: by a user, with an icon, a change',
        timeline('Timeline of the example', [
          timelineEntry({ by: kim }, html`<div>By a user.</div>`),
          timelineEntry({ icon: 'tag' }, html`<div>With an icon.</div>`),
          timelineEntry(
            { icon: 'git-commit' },
            html`<div class="event-text">A change.</div>`,
            'event',
          ),
        ]),
      ),
      specimen('Discussion: thread, resolved thread, change', discussionTimeline(view)),
      specimen('Comment', commentForm(view, { hasQuickActions: true, stateEvent: closing })),
      specimen('Comment, for visitors', commentForm({ ...view, viewer: null })),
      specimen('Reactions', reactions({ ...awards, mayAward: true }) ?? html``),
      specimen('Reactions, for visitors', reactions({ ...awards, mayAward: false }) ?? html``),
    ],
  }
}

const closing = { value: 'close', text: 'Close issue' } as const

function discussionView(call: SpecimenCall): DiscussionView {
  const noteable = { project: 'group/app', iid: 1, address: specimenAddress }
  const discussions = threads(call.now)
  return {
    call,
    noteable: issueNoteable(call.client, noteable),
    page: {
      position: {
        page: 1,
        total: discussions.length,
        totalPages: 1,
        nextPage: null,
        prevPage: null,
      },
      discussions,
      thread: undefined,
    },
    texts: {
      notes: new Map(
        discussions.flatMap(({ notes }) => notes.map(({ id, body }) => [id, `<p>${body}</p>`])),
      ),
      awards: awardSamples(1),
      labelEvents: [labelEventSample(call.now, 'add'), labelEventSample(call.now, 'remove')],
      hiddenEvents: 0,
    },
    viewer: kim,
    authorId: kim.id,
    mayModerate: false,
    mayComment: true,
    mayResolve: true,
  }
}

function threads(now: number): ShownDiscussion[] {
  const question = noteSample(now, { id: 1, author: kim, body: 'Whom does it greet?', age: 30 })
  const answer = noteSample(now, { id: 2, author: noor, body: 'The wrong user.', age: 29 })
  const done = noteSample(now, { id: 3, author: noor, body: 'The name is missing.', age: 10 })
  const closed = noteSample(now, { id: 4, author: kim, body: 'closed', age: 1 })
  const resolved = { ...done, resolvable: true, resolved: true, resolved_by: kim }
  return [
    { id: 'a1', individual_note: false, notes: [question, answer], omitted: 0 },
    { id: 'b2', individual_note: false, notes: [resolved], omitted: 0 },
    { id: 'c3', individual_note: true, notes: [{ ...closed, system: true }], omitted: 0 },
  ]
}
