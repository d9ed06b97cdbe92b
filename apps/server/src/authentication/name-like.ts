/**
 * Whether a text could be a username or an e-mail address at all. Others never reach the database:
 * PostgreSQL takes no NUL, and neither database a lone surrogate.
 */
export function isNameLike(text: string): boolean {
  return text.length <= 255 && !text.includes('\0') && text.isWellFormed()
}
