import { badRequest, type DomainError } from '@stithy/core'
import { type RefusedChange, TreeChangeError } from '@stithy/git'

const sentences: Record<RefusedChange, (path: string) => string> = {
  path: (path) => `No file may have the path '${path}'.`,
  exists: (path) => `A file '${path}' exists already.`,
  missing: (path) => `There is no file '${path}'.`,
  folder: (path) => `'${path}' is a folder.`,
  in_the_way: (path) => `'${path}' is a file, so nothing can be below it.`,
  no_file: (path) => `'${path}' is not an ordinary file.`,
  no_submodule: (path) => `'${path}' is not a submodule.`,
  unchanged: (path) => `'${path}' is like this already, so there is nothing to commit.`,
}

const maxShownLength = 200

/** A path for messages. */
export function showPath(path: string): string {
  return path.length > maxShownLength ? `${path.slice(0, maxShownLength)}…` : path
}

/** The reason why a change cannot apply, as a 400. */
export function toBadRequest(reason: RefusedChange, path: string): DomainError {
  return badRequest(sentences[reason](showPath(path)))
}

/** Runs git work; turns a change that cannot apply into a 400. @throws DomainError `bad_request` */
export async function withTreeChangeErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof TreeChangeError ? toBadRequest(error.reason, error.path) : error
  }
}
