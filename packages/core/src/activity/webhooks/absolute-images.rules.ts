/** Of nested brackets only the innermost match: this keeps it linear in the length of the text. */
const image = /!\[([^[\]\n]*)\]\(([^()\s]+)/g

/**
 * Makes image URLs in Markdown absolute, for webhooks: uploads and relative URLs are resolved
 * within the project, those with a leading slash within the instance.
 */
export function absoluteImages(
  text: string,
  { projectUrl, siteUrl }: { projectUrl: string; siteUrl: string },
): string {
  return text.replace(image, (match, title: string, url: string) => {
    if (/^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(url)) return match
    const base = url.startsWith('/') && !url.startsWith('/uploads/') ? siteUrl : projectUrl
    return `![${title}](${base}/${url.replace(/^\//, '')}`
  })
}
