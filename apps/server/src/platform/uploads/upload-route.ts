/**
 * What the addresses of uploads end in. Others that look like it are pages: those of a wiki may have a
 * folder of that name.
 */
export const uploadRoute = '/uploads/:secret(^[0-9a-f]{32}$)/:filename'
