import type { Facility } from '../../model/world.js';

/** The URLs of a facility's images under `{base_url}`, as in the verbose details. */
export function facilityImagePaths(facility: Facility, base: string): { logo: string; images: string[] } {
  const folder = `${base}/images/${facility.id}`;
  const images = Array.from({ length: facility.images }, (_, index) => `${folder}/${index + 1}.svg`);
  return { logo: `${folder}/logo.svg`, images };
}
