import type { FastifyRequest } from 'fastify'
import type { CatFile } from './cat-file.ts'
import type { ProjectRow } from './project-sql.ts'

/** The repository of a request whose caller may read it. */
export interface Code {
  row: ProjectRow
  /** The caller's access level. */
  level: number
  path: string
  reader: CatFile
}

export type OpenCode = (request: FastifyRequest) => Code
