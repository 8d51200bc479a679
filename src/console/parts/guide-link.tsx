import type { ComponentChildren } from 'preact';
import { guideAt } from '../data/guides.js';

/** A link to a page of the documentation, which opens beside the console. */
export function GuideLink({ page, children }: { readonly page: string; readonly children: ComponentChildren }) {
  return (
    <a class="guide-link" href={guideAt(page)} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
