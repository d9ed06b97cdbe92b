import { DatabaseError } from 'pg'
import { StoreError, UniqueViolationError } from '../errors.ts'

/** Converts a PostgreSQL error to the store's error; returns anything unknown unchanged. */
export function fromPostgresError(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return fromNetworkError(error)
  const code = error.code ?? ''
  if (code === '23505') return uniqueViolation(error)
  if (code === '23503') {
    return new StoreError('reference', 'A foreign key references a row that does not exist', error)
  }
  if (code === '53100') return new StoreError('full', 'The database has no space left', error)
  if (code === '55P03') return new StoreError('busy', 'A row is locked by another process', error)
  if (code.startsWith('57P') || code.startsWith('08') || code === '53300') {
    return new StoreError('unavailable', 'The database server does not respond', error)
  }
  return error
}

/** Serialization failure or deadlock: the transaction may succeed when it is retried. */
export function isRetryable(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01')
}

/** `Key ("parentId", "nameLower")=(1, a) already exists.`, in the language of the server. */
function uniqueViolation(error: DatabaseError): UniqueViolationError {
  const { detail = '' } = error
  const list = detail.slice(detail.indexOf('(') + 1, Math.max(0, detail.indexOf(')=(')))
  const columns = list.split(', ').map((name) => name.replaceAll('"', ''))
  return new UniqueViolationError(error.table, columns, error)
}

const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE'])

function fromNetworkError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code } = error as { code?: unknown }
  const lost = typeof code === 'string' && networkCodes.has(code)
  if (!lost && !/^(Connection terminated|timeout exceeded when trying)/.test(error.message)) {
    return error
  }
  return new StoreError('unavailable', 'The database server does not respond', error)
}
