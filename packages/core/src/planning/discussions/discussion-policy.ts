import type { CallerFacts } from '../../platform/access/caller.ts'
import { allowed, type Decision } from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'
import { mayResolve, type NoteableFacts } from '../notes/note-scope.ts'

interface DiscussionRule {
  /** What the caller must be able to do to the item before the discussion is looked up. */
  item: 'read' | 'comment_on'
  /** Who may; absent when everyone may who passes `item`. */
  by?: 'resolver'
}

/** Rules for discussions. */
export const discussionRules = {
  read_discussion: { item: 'read' },
  reply_to_discussion: { item: 'comment_on' },
  resolve_discussion: { item: 'comment_on', by: 'resolver' },
} as const satisfies Record<string, DiscussionRule>

export type DiscussionAbility = keyof typeof discussionRules

/** Whether the caller may do `ability` to a discussion on an item that they may read. */
export function decideOnDiscussion(
  ability: DiscussionAbility,
  caller: CallerFacts,
  item: NoteableFacts,
): Decision {
  const rule: DiscussionRule = discussionRules[ability]
  return rule.by === undefined ? allowed : { allowed: mayResolve(caller, item) }
}

export const discussionPolicy: SubjectPolicy<DiscussionAbility, NoteableFacts> = {
  title: 'Discussion',
  rules: discussionRules,
  onParent: (ability, parent) => [`${discussionRules[ability].item}_${parent}`],
  decide: decideOnDiscussion,
}
