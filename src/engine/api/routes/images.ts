import { escapeToBuffer } from 'hono/utils/html';
import { between, finish, mix, pick } from '../../model/hash.js';
import type { Facility } from '../../model/world.js';

/** Colours of one hour of the day: sky from top to horizon, sun, hills from far to near, green. */
interface Palette {
  readonly sky: readonly [string, string];
  readonly sun: string;
  readonly hills: readonly [string, string, string];
  readonly green: string;
}

const PALETTES: readonly Palette[] = [
  { sky: ['#7cc4ee', '#e4f4fb'], sun: '#fff6c9', hills: ['#9cc5a1', '#5f9f6b', '#3c7d4c'], green: '#8fd16a' },
  { sky: ['#f2a96b', '#fde9c9'], sun: '#fff1b8', hills: ['#b7a37c', '#7f8f57', '#55703f'], green: '#a9c765' },
  { sky: ['#5d7fb8', '#f6c9c0'], sun: '#ffd9a0', hills: ['#7d8fa8', '#4f7a6b', '#2f5e4c'], green: '#74b36a' },
  { sky: ['#a8b8c4', '#edf1f2'], sun: '#ffffff', hills: ['#9fb3ad', '#6d9380', '#46705b'], green: '#86b878' },
];

const WIDTH = 960;
const HEIGHT = 540;
const FONT = 'font-family="Georgia,serif"';

/** A drawing of a facility's course as SVG; `n` counts from 1. The same arguments give the same image. */
export function facilityImage(facility: Facility, n: number): string {
  const next = numbers(facility.id, n);
  const { sky, sun, hills, green } = pick(next(), PALETTES);
  const flagX = between(next(), 420, 760);
  const flagY = between(next(), 420, 450);
  const label = `${facility.name}, view ${n}`;
  return svg(WIDTH, HEIGHT, label, [
    `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky[0]}"/>`,
    `<stop offset="1" stop-color="${sky[1]}"/></linearGradient></defs>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky)"/>`,
    `<circle cx="${between(next(), 120, 840)}" cy="${between(next(), 80, 170)}" r="46" fill="${sun}"/>`,
    cloud(next),
    cloud(next),
    hill(next, 270, 50, hills[0]),
    hill(next, 330, 40, hills[1]),
    trees(next, hills[2]),
    hill(next, 390, 24, hills[2]),
    next() % 2 === 0 ? pond(next) : bunker(next),
    ellipse(flagX, flagY + 6, 170, 34, green),
    flag(flagX, flagY),
    `<text x="32" y="506" ${FONT} font-size="30" fill="#fff">${escapeXml(facility.name)}</text>`,
  ]);
}

/** The facility's logo as SVG: a flag in a ring with the initials of its name. */
export function facilityLogo(facility: Facility): string {
  const next = numbers(facility.id, 0);
  const { hills, green } = pick(next(), PALETTES);
  const initials =
    facility.name
      .match(/\p{Lu}/gu)
      ?.slice(0, 3)
      .join('') ?? '';
  return svg(240, 240, `Logo of ${facility.name}`, [
    `<circle cx="120" cy="120" r="114" fill="${hills[2]}"/>`,
    `<circle cx="120" cy="120" r="100" fill="none" stroke="${green}" stroke-width="4"/>`,
    `<path d="M${between(next(), 96, 108)} 164V58l52 20-52 20" fill="#fff" stroke="#fff" stroke-width="5"/>`,
    ellipse(120, 168, 58, 10, green),
    `<text x="120" y="206" text-anchor="middle" ${FONT} font-size="26" fill="#fff">${escapeXml(initials)}</text>`,
  ]);
}

type Next = () => number;

function numbers(id: number, n: number): Next {
  let state = mix(id, n);
  return () => finish((state = mix(state, 1)));
}

function svg(width: number, height: number, title: string, parts: readonly string[]): string {
  const name = escapeXml(title);
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  const open = `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${name}">`;
  return `${open}<title>${name}</title>${parts.join('')}</svg>\n`;
}

/** A ridge as a smooth curve through five heights. */
function hill(next: Next, level: number, swing: number, colour: string): string {
  const y = (): number => level + between(next(), -swing, swing);
  const curve = `M0 ${y()}C160 ${y()} 240 ${y()} 400 ${y()}S680 ${y()} ${WIDTH} ${y()}`;
  return `<path d="${curve}V${HEIGHT}H0Z" fill="${colour}"/>`;
}

function cloud(next: Next): string {
  const x = between(next(), 60, 820);
  const y = between(next(), 50, 180);
  return `<g opacity=".75">${ellipse(x, y, 60, 16, '#fff')}${ellipse(x + 26, y - 12, 34, 18, '#fff')}</g>`;
}

function trees(next: Next, colour: string): string {
  const tree = (): string => {
    const x = between(next(), 10, 950);
    const height = between(next(), 50, 100);
    return `<path d="M${x} ${400 - height}l22 ${height}h-44z"/>`;
  };
  return `<g fill="${colour}">${Array.from({ length: 9 }, tree).join('')}</g>`;
}

function pond(next: Next): string {
  return ellipse(between(next(), 160, 330), between(next(), 440, 480), 130, 24, '#6fb3d6');
}

function bunker(next: Next): string {
  return ellipse(between(next(), 160, 330), between(next(), 440, 480), 80, 20, '#ecd9a6');
}

function flag(x: number, y: number): string {
  const pole = `<path d="M${x} ${y}V${y - 130}" stroke="#fff" stroke-width="5"/>`;
  const cloth = `<path d="M${x} ${y - 130}l58 20-58 20z" fill="#d8413b"/>`;
  return pole + cloth + ellipse(x, y + 2, 12, 4, '#2d4a33');
}

function ellipse(x: number, y: number, rx: number, ry: number, colour: string): string {
  return `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${colour}"/>`;
}

function escapeXml(text: string): string {
  const buffer: [string] = [''];
  escapeToBuffer(text, buffer);
  return buffer[0];
}

/** The headers of every image. */
export const imageHeaders = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'cache-control': 'public, max-age=86400',
  'access-control-allow-origin': '*',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};
