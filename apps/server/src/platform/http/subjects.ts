import type { CallerFacts, SubjectPolicy } from '@stithy/core'
import type { App } from '../app.ts'
import type { CallerUser } from './caller.ts'

/**
 * What handlers get as `call.subject`, by the type of subject that the contract names. Each layer
 * declares the subjects that it loads.
 */
export interface Subjects {
  instance: { instance: true }
}

/**
 * What a policy decision needs of a subject, where that is less than handlers get: also for one
 * that is not yet stored.
 *
 * @public
 */
export interface DecidedSubjects {
  instance: { instance: true }
}

export type Decided<Name extends keyof Subjects> = Name extends keyof DecidedSubjects
  ? DecidedSubjects[Name]
  : Subjects[Name]

/** The caller that a decision is about; jobs and lists of readers have the facts alone. */
export interface DecidedCaller {
  facts: CallerFacts
  user?: CallerUser | null
}

/** What a subject is looked up by. */
export interface SubjectRequest<Parent = unknown> {
  app: App
  caller: DecidedCaller
  /** Path parameters. */
  params: Readonly<Record<string, unknown>>
  /** The path parameter that names the outermost subject. */
  ref: string
  /** What will be decided on the subject. */
  abilities: readonly string[]
  /** The parent subject, on which the parent's policy has allowed the call. */
  parent: Parent
}

/** How one type of subject is loaded, and what its policy needs. */
export interface SubjectType<
  Subject = unknown,
  Parent = unknown,
  Ability extends string = string,
  Facts = unknown,
  Decided = Subject,
> {
  policy: SubjectPolicy<Ability, Facts>
  /** Loads the subject, whether visible to the caller or not; undefined where there is none. */
  find(request: SubjectRequest<Parent>): Promise<Subject | undefined>
  /** The id of what had this path before; undefined if nothing had it. */
  findMoved?(request: Omit<SubjectRequest, 'parent' | 'abilities'>): Promise<number | undefined>
  /** The facts that the policy needs. */
  factsOf(subject: Decided, caller: DecidedCaller): Facts
}

/** Declares a type of subject with its exact types. */
export function subjectType<Subject, Parent, Ability extends string, Facts, Decided = Subject>(
  type: SubjectType<Subject, Parent, Ability, Facts, Decided>,
): SubjectType<Subject, Parent, Ability, Facts, Decided> {
  return type
}

/** Every type of subject; one that a layer declares and the app layer leaves out does not compile. */
export type SubjectTypes = {
  readonly [Name in keyof Subjects]: SubjectType<
    Subjects[Name],
    unknown,
    string,
    unknown,
    Decided<Name>
  >
}

declare module '../app.ts' {
  interface App {
    subjects: SubjectTypes
  }
}
