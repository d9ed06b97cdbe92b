/**
 * Whether a text could be a username or an e-mail address. Other texts never reach the database:
 * PostgreSQL rejects NUL, and neither database stores a lone surrogate.
 */
export function isWellFormedLogin(text: string): boolean {
  return text.length <= 255 && !text.includes('\0') && text.isWellFormed()
}
