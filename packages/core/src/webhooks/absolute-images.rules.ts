/** Of nested brackets only the innermost is taken: so it stays linear in the length of the text. */
const image = /!\[([^[\]\n]*)\]\(([^()\s]+)/g

/**
 * Makes the addresses of images in Markdown absolute, for readers elsewhere (catalogue: admin, 6): uploads
 * and what is relative belong to the project, what begins with a slash to the site.
 */
export function absoluteImages(
  text: string,
  { projectUrl, siteUrl }: { projectUrl: string; siteUrl: string },
): string {
  return text.replace(image, (whole, title: string, url: string) => {
    if (/^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(url)) return whole
    const base = url.startsWith('/') && !url.startsWith('/uploads/') ? siteUrl : projectUrl
    return `![${title}](${base}/${url.replace(/^\//, '')}`
  })
}
