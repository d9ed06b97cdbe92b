import { type CallerFacts, validationFailed } from '@stithy/core'
import type { App } from '../../app.ts'
import { defaultStorage } from './project-repository.ts'

/**
 * The storage of a new repository. Only administrators choose it; from others the parameter counts for
 * nothing (catalogue: projects, create / edit parameters). @throws DomainError `validation_failed`
 */
export function chooseStorage(app: App, caller: CallerFacts, asked: string | undefined): string {
  if (!caller.admin || asked === undefined || asked === '') return defaultStorage
  if (Object.hasOwn(app.config.repositoryStorages, asked)) return asked
  throw validationFailed({ repository_storage: ['is not included in the list'] })
}

/** A repository stays where it is: an edit may name that storage only. @throws as `chooseStorage` */
export function requireSameStorage(
  app: App,
  caller: CallerFacts,
  asked: string | undefined,
  current: string,
): void {
  if (!caller.admin || asked === undefined || asked === '') return
  if (chooseStorage(app, caller, asked) === current) return
  throw validationFailed({ repository_storage: ['cannot be changed'] })
}
