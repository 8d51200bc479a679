import type { Club } from './clubs.js';
import { type Ask, Desk } from './desk.js';

type Fields = Record<string, unknown>;

const services = ['drivingRange', 'chippingArea', 'puttingGreen', 'proShop', 'golfSchool', 'golfBuggy', 'pushTrolley'];
const comforts = ['electricTrolley', 'golfClubRentals', 'caddies', 'restaurant', 'bar', 'lockerRoom', 'wifi'];

/** Countries and facilities. */
export class Directory extends Desk {
  countries({ query, channel }: Ask): unknown {
    const connected = this.flag(query, 'connected');
    return [...new Set(this.clubs.filter((club) => this.isListed(club, channel, connected)).map(this.countryOf))];
  }

  facilities({ query, channel, version }: Ask): unknown {
    const country = this.given(query, 'country');
    const connected = this.flag(query, 'connected');
    return this.clubs
      .filter((club) => this.isIn(club, country) && this.isListed(club, channel, connected))
      .map((club) => this.listItem(club, version));
  }

  facility({ args, version }: Ask): unknown {
    const club = this.findClub(args[0]!);
    return version < 3 ? this.listItem(club, version) : [this.details(club), this.terms(club)];
  }

  verbose({ args, version }: Ask): unknown {
    return this.describe(this.findClub(args[0]!), version);
  }

  isListed(club: Club, channel: Ask['channel'], connected: boolean): boolean {
    return !connected || this.isConnected(channel, club);
  }

  countryOf(this: void, club: Club): string {
    return club.country;
  }

  isIn(club: Club, country: string): boolean {
    return this.countryOf(club) === country;
  }

  slug(club: Club): string {
    return club.name
      .normalize('NFD')
      .replace(/[^A-Za-z]+/g, '')
      .toLowerCase();
  }

  address(club: Club): Fields {
    const street = { address1: `${club.place} golf road`, address2: '', number: String(club.id % 90), addition: '' };
    const { place, state } = club;
    return { ...street, zipcode: String(10_000 + club.id * 7), place, state, country: this.countryOf(club) };
  }

  listItem(club: Club, _version: number): Fields {
    const slug = this.slug(club);
    const contact = { website: `https://www.${slug}.example`, email: `info@${slug}.example` };
    return { id: club.id, name: club.name, ...contact, address: this.address(club) };
  }

  details(club: Club): Fields {
    const { id, name, website, email } = this.listItem(club, 3);
    const { latitude, longitude, zone, language, currency } = club;
    const address = { ...this.address(club), mid: 7000 + club.id, latitude, longitude, region: club.state };
    const where = { timeZone: zone, address, language, currencyCode: currency };
    return { id, name, website, email, ...where, created: '2021-03-04T09:10:11.123' };
  }

  terms(club: Club): Fields {
    const text = { name: 'Standard', description: 'A part at the booking, the rest at the tee' };
    const labels = { firstPaymentCondition: 'Time of Booking', lastPaymentCondition: 'Time of Play' };
    const durations = { firstPaymentConditionDuration: 0, lastPaymentConditionDuration: 24 };
    const shares = { firstPaymentConditionPercentage: 20, lastPaymentConditionPercentage: 80 };
    const paymentRule = { mid: 40 + (club.id % 7), ...text, ...labels, ...durations, ...shares };
    return { paymentRule, applicableForWhitelable: club.id % 2 === 1 };
  }

  services(club: Club): Fields {
    const all = [...services, ...comforts, 'shuttleService'].map((name, index) => [name, (club.id + index) % 3 > 0]);
    return { mid: 500 + club.id, ...Object.fromEntries(all) };
  }

  describe(club: Club, version: number): Fields {
    const { id, name, website, email, address } = this.listItem(club, version);
    const { latitude, longitude, since } = club;
    const phoneNumber = `+31 20 555 0${club.id}`;
    const desk = { name: 'Reservations', email: `tee@${this.slug(club)}.example`, phoneNumber };
    const contact = { phoneNumber, email, website, ...(version >= 3 ? { reservationsContact: desk } : {}) };
    const text = { foundedIn: since, description: `${club.name}, a club in ${club.place} since ${since}.` };
    const pictures = { logo: `https://img.example/${id}/logo.png`, images: [`https://img.example/${id}/1.jpg`] };
    return { id, name, latitude, longitude, address, ...contact, ...text, services: this.services(club), ...pictures };
  }
}
