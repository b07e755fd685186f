/* Four characters against six ogres, as one would write it who needs this fight alone: see bench_forecast.py. */
#include <stdint.h>

enum { CHARACTERS = 4, ALL = 10, MOST_ROUNDS = 40 };

static uint64_t stream;

static inline int die(int sides)
{
    stream ^= stream >> 12;
    stream ^= stream << 25;
    stream ^= stream >> 27;
    return (int)((((stream * 2685821657736338717ULL) >> 32) * (uint64_t)sides) >> 32) + 1;
}

static inline int damage(int is_character, int critical)
{
    int dice = (is_character ? 1 : 2) * (critical ? 2 : 1), total = 4;
    while (dice--)
        total += die(8);
    return total;
}

static int party_wins(void)
{
    int hp[ALL], count[ALL], order[ALL], characters = CHARACTERS, ogres = ALL - CHARACTERS;
    for (int who = 0; who < ALL; who++) {
        hp[who] = who < CHARACTERS ? 44 : 59;
        count[who] = die(20);
        int here = who;
        for (; here > 0 && count[order[here - 1]] < count[who]; here--)
            order[here] = order[here - 1];
        order[here] = who;
    }
    for (int round = 0; round < MOST_ROUNDS; round++) {
        for (int place = 0; place < ALL; place++) {
            int me = order[place], is_character = me < CHARACTERS;
            if (hp[me] <= 0)
                continue;
            for (int strikes = is_character ? 2 : 1; strikes > 0; strikes--) {
                int first = is_character ? CHARACTERS : 0, last = is_character ? ALL : CHARACTERS, target = -1;
                for (int other = first; other < last; other++)
                    if (hp[other] > 0 && (target < 0 || hp[other] < hp[target]))
                        target = other;
                int face = die(20);
                if (face == 1 || (face < 20 && face + (is_character ? 7 - 11 : 6 - 17) < 0))
                    continue;
                hp[target] -= damage(is_character, face == 20);
                if (hp[target] <= 0 && (is_character ? --ogres : --characters) == 0)
                    return is_character;
            }
        }
    }
    return 0;
}

long play_fights(unsigned long long seed, long fights)
{
    long won = 0;
    stream = seed * 0x9E3779B97F4A7C15ULL + 1;
    for (long number = 0; number < fights; number++)
        won += party_wins();
    return won;
}
