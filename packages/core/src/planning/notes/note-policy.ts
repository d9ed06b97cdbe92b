import type { CallerFacts } from '../../platform/access/caller.ts'
import { allowed, type Decision, type Refusal } from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'
import { awarding } from '../items/awarding-rule.ts'
import { decideOnAwarding, mayModerate, mayResolve, type NoteableFacts } from './note-scope.ts'

/** What the policy needs of a note. */
export interface NoteFacts extends NoteableFacts {
  authorId: number
  /** Whether it is a system note. */
  system: boolean
}

interface NoteRule {
  /** What the caller must be able to do to the item before the note is looked up. */
  item: 'read' | 'comment_on'
  /** Who may; absent when everyone may who passes `item`. */
  by?: readonly ('author' | 'moderator' | 'resolver')[]
  /** True when nobody may do it to a system note. */
  exceptSystem?: true
  /** True for awarding, which has a separate rule. */
  awarding?: true
}

const changing = { item: 'comment_on', by: ['author', 'moderator'], exceptSystem: true } as const

/** Rules for notes. */
export const noteRules = {
  read_note: { item: 'read' },
  update_note: changing,
  delete_note: changing,
  resolve_note: { item: 'comment_on', by: ['author', 'resolver'] },
  /** In a discussion: `body` needs `update_note`, `resolved` needs `resolve_note`. */
  update_or_resolve_note: { item: 'comment_on', by: ['author', 'moderator', 'resolver'] },
  award_note: { item: 'read', awarding: true },
} as const satisfies Record<string, NoteRule>

export type NoteAbility = keyof typeof noteRules

/** Whether the caller may do `ability` to a note on an item that they may read. */
export function decideOnNote(ability: NoteAbility, caller: CallerFacts, note: NoteFacts): Decision {
  const rule: NoteRule = noteRules[ability]
  if (rule.awarding) return decideOnAwardingNote(caller, note)
  if (rule.exceptSystem && note.system) return { allowed: false }
  if (rule.by === undefined) return allowed
  return { allowed: rule.by.some((role) => roles[role](caller, note)) }
}

const roles = {
  author: (caller: CallerFacts, note: NoteFacts) =>
    caller.userId !== null && note.authorId === caller.userId,
  moderator: mayModerate,
  resolver: mayResolve,
}

/** The text of v4. */
const systemNoteRefusal = {
  code: 'not_found',
  message: `${awarding.refusal.message} Awardable cannot be awarded emoji`,
} as const satisfies Refusal

function decideOnAwardingNote(caller: CallerFacts, { scope, system }: NoteFacts): Decision {
  const decision = decideOnAwarding(caller, scope)
  return decision.allowed && system ? { allowed: false, refusal: systemNoteRefusal } : decision
}

export const notePolicy: SubjectPolicy<NoteAbility, NoteFacts> = {
  title: 'Note',
  rules: noteRules,
  onParent: (ability, parent) => [`${noteRules[ability].item}_${parent}`],
  decide: decideOnNote,
}
