// Lists 3 and 4 of the article (Otsuki, "Solving 4x4 Othello", Software Design) as they stand, with the cut-off within
// the loop, where the text has it (list 2). Added: a count of nodes, and the time of a few runs.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

const int BLACK = 1, WHITE = 0;
long nodes = 0;

std::vector<int> dx = {1, 0, -1, 0, 1, 1, -1, -1};
std::vector<int> dy = {0, 1, 0, -1, 1, -1, -1, 1};
int move(int ce, int d) {
    int x = ce / 4 + dx[d], y = ce % 4 + dy[d];
    if (x < 0 || x >= 4 || y < 0 || y >= 4)
        return -1;
    else
        return x * 4 + y;
}

bool iscolor(int bl, int wh, int co, int ce) {
    if (ce == -1) return false;
    if (co == BLACK) return ((bl >> ce) & 1);
    else return ((wh >> ce) & 1);
}

int put(int bl, int wh, int co, int ce) {
    if (((bl | wh) >> ce) & 1) return 0;
    int result = 0;
    for (int d = 0; d < 8; ++d) {
        int rev = 0;
        int ce2 = move(ce, d);
        while (iscolor(bl, wh, 1 - co, ce2)) {
            rev |= 1 << ce2;
            ce2 = move(ce2, d);
        }
        if (iscolor(bl, wh, co, ce2))
            result |= rev;
    }
    return result;
}

int calc(int bl, int wh, int co) {
    int nbl = 0, nwh = 0, nem = 0;
    for (int ce = 0; ce < 16; ++ce) {
        if ((bl >> ce) & 1) ++nbl;
        else if ((wh >> ce) & 1) ++nwh;
        else ++nem;
    }
    if (nbl > nwh) nbl += nem;
    else if (nbl < nwh) nwh += nem;
    if (co == BLACK) return nbl - nwh;
    else return nwh - nbl;
}

int rec(int alpha, int beta, int bl, int wh, int co) {
    ++nodes;
    std::vector<int> mine, opp;
    for (int ce = 0; ce < 16; ++ce) {
        if (put(bl, wh, co, ce))
            mine.push_back(ce);
        if (put(bl, wh, 1 - co, ce))
            opp.push_back(ce);
    }
    if (mine.empty() && opp.empty())
        return calc(bl, wh, co);
    if (mine.empty())
        return -rec(-beta, -alpha, bl, wh, 1 - co);
    for (auto ce : mine) {
        int rev = put(bl, wh, co, ce);
        int bl2 = bl ^ rev, wh2 = wh ^ rev;
        if (co == BLACK) bl2 |= 1 << ce;
        else wh2 |= 1 << ce;
        int score = -rec(-beta, -alpha, bl2, wh2, 1 - co);
        alpha = std::max(alpha, score);
        if (alpha >= beta) return alpha;
    }
    return alpha;
}

int main() {
    int bl = (1 << 6) | (1 << 9);
    int wh = (1 << 5) | (1 << 10);
    double best = 1e9;
    int score = 0;
    for (int run = 0; run < 20; ++run) {
        nodes = 0;
        auto start = std::chrono::steady_clock::now();
        score = rec(-16, 16, bl, wh, BLACK);
        std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        best = std::min(best, time.count());
    }
    std::cout << score << " " << nodes << " " << best << std::endl;
}
